# file: ut_vc_select.v
# what: the preferred class is as good as any
# expect: ^vc_allocator .*: (choice_o|any)
s/having = liked | (fit & ~any(liked))/having = fit/
