module corobench

go 1.26.0
