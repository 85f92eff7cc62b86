# file: ut_vc_select.v
# what: every candidate needs room for two packets
s/(room2_i | ~bubble_i)/room2_i/
