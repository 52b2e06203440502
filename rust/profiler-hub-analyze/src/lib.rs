//! Pairs the two rocpd files of each pass, merges native counters and writes pmc_perf.csv.
