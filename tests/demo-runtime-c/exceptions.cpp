// A C++ program whose callback throws through a runtime and its tools.
//   exceptions RUNTIME
#include "demo_runtime.h"

#include <cstdio>
#include <dlfcn.h>
#include <stdexcept>

static int callback(void*) { throw std::runtime_error("thrown by the application"); }

int main(int argc, char** argv) {
    void* runtime = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!runtime) {
        std::fprintf(stderr, "cannot load: %s\n", dlerror());
        return 2;
    }
    using each_t = int (*)(int (*)(void*), void*);
    using foo_t = int (*)(int);
    auto each = reinterpret_cast<each_t>(dlsym(runtime, "demo_each"));
    auto foo = reinterpret_cast<foo_t>(dlsym(runtime, "demo_foo"));
    for (int i = 0; i < 3; i++) {
        try {
            each(callback, nullptr);
            return 3;
        } catch (const std::runtime_error&) {
        }
        if (foo(42) != 85)
            return 4;
    }
    return 0;
}
