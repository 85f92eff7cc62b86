# OpenSTA, with the drivers and loads of `uturn cost`: the longest path without wires (before.txt), with wires (after.txt),
# and the path that was the longest one before, with wires (same.txt); in all of these the clock comes everywhere at once.
# Then it comes through the buffers and wires of its tree: the longest path between registers (tree.txt), the one that
# has least room for hold time (hold.txt), the skew between two registers of a path (skew.txt).
read_liberty $liberty
read_verilog top.v
link_design top
create_clock -name clk -period 10000 [get_ports clk_i]
set_driving_cell -lib_cell BUFX2 [all_inputs]
set_load 0.05 [all_outputs]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
report_checks -path_delay max -format full -fields {capacitance slew} -digits 4 > before.txt
read_spef top.spef
report_checks -path_delay max -format full -fields {capacitance slew} -digits 4 > after.txt
# A pin, or the port at an end of a path.
proc end_of_path {name} {
  if {[string match */* $name]} { return [get_pins $name] }
  return [get_ports $name]
}
set places {}
set file [open before.txt]
while {[gets $file line] >= 0 && ![string match "*data arrival*" $line]} {
  if {[regexp {[v^] (\S+) \(} $line -> name]} { lappend places $name }
}
close $file
report_checks -path_delay max -from [end_of_path [lindex $places 0]] -through [lindex $places [expr {[llength $places] / 2}]] \
  -to [end_of_path [lindex $places end]] -format full -fields {capacitance slew} -digits 4 > same.txt
set_propagated_clock [all_clocks]
set registers [all_registers -clock_pins]
report_checks -path_delay max -from $registers -to [all_registers -data_pins] -format full_clock -digits 4 > tree.txt
report_checks -path_delay min -from $registers -to [all_registers -data_pins] -format full_clock -digits 4 > hold.txt
report_clock_skew -setup > skew.txt
