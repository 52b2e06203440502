// Prints the kernels of a rocpd file that took the most time, or says why it cannot.
//
//   top_kernels FILE
#include <profiler-hub/cpp/reader.hpp>

#include <exception>
#include <iostream>

int
main(int argc, char** argv)
{
    if(argc != 2)
    {
        std::cerr << "usage: " << argv[0] << " FILE\n";
        return 2;
    }
    try
    {
        const profiler_hub::reader_t reader{ argv[1] };
        const auto                   kernels = reader.summary(PH_TABLE_KERNEL_DISPATCH);
        for(std::uint64_t i = 0; i < kernels->count; ++i)
        {
            const ph_name_summary_t& kernel = *kernels->items[i];
            std::cout << kernel.total << " ns in " << kernel.count << " dispatches: " << kernel.name << '\n';
        }
        return 0;
    } catch(const std::exception& error)
    {
        std::cerr << "cannot read " << argv[1] << ": " << error.what() << '\n';
        return 1;
    }
}
