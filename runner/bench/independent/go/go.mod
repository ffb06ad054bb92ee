module independent

go 1.24
