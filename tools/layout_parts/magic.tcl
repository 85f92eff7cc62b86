# Magic: reads the routed layout, writes its netlist (top.spice; cells are black boxes, because their masks are not in
# Debian) and checks the rules of the process: lines "drc = N" and "rule N ...".
box 0 0 0 0
drc off
snap int
lef read $lef
def read top_route
load top
select top cell
writeall force top
expand
extract all
ext2spice hierarchy on
ext2spice format ngspice
ext2spice scale off
ext2spice renumber off
ext2spice cthresh infinite
ext2spice rthresh infinite
ext2spice blackbox on
ext2spice subcircuit top auto
ext2spice global off
ext2spice
drc euclidean on
drc on
select top cell
expand
drc check
drc catchup
puts stdout "drc = [drc list count total]"
foreach {rule places} [drc listall why] { puts stdout "rule [llength $places] $rule" }
quit -noprompt
