module tollgate.test/jsonreader

go 1.21
