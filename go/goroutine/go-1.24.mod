module corobench

go 1.24
