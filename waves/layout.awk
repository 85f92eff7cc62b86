# layout.awk - reads rtl/header.tsv and then a VCD; writes the GTKWave layout and, into the folder `filters`, the filters that it names.
# Called by waves/show: awk -v dump=FILE.fst -v filters=FOLDER -v cycle=TIME_UNITS -v width=PIXELS -v height=PIXELS
# Which ports and VCs there are follows from the switch's interface; that the names below exist is what `waves/show --check` tests.

BEGIN { PRE = 14; SHOWN = 54; NAMES = 250 }  # cycles before the fault, cycles in the picture, pixels of the names

# ---- rtl/header.tsv
FNR == NR {
  if ($1 == "header") { lsb[$2] = $3; wide[$2] = $4 }
  if ($1 == "kind") word[$3] = $2
  if ($1 == "vc_state") state[$3] = $2
  next
}

# ---- hierarchy
$1 == "$scope" {
  path[++depth] = $3
  scope = depth > 1 ? scope "." $3 : $3
  outer[depth] = scope
  seen[scope] = 1
  if (depth == 1 && $3 ~ /^s[0-9]+_[0-9]+$/) sw[++switches] = $3
  next
}
$1 == "$upscope" { scope = outer[--depth]; next }
$1 == "$var" && depth == 1 {
  n = $3
  if ($5 ~ /^(in_up_i|out_up_i)$/) { up[$4] = up[$4] " " scope; bits[scope, $5] = n }
  if ($5 ~ /^(in_valid_i|out_valid_o)$/) { valid[$4] = 1; id[scope, $5] = $4 }
  if ($5 ~ /^(in_data_i|in_credit_o|out_credit_i)$/) bits[scope, $5] = n
  if ($5 ~ /^(in_up_i|out_up_i)$/) id[scope, $5] = $4
  next
}
# ---- values: the first fall of a link (else its first change), and when ports were busy
/^#/ { now = substr($1, 2) + 0; if (first == "") first = now; next }
/^[b01]/ {
  code = $1 ~ /^b/ ? $2 : substr($1, 2)
  if (!(code in up) && !(code in valid)) next
  value = $1 ~ /^b/ ? substr($1, 2) : substr($1, 1, 1)
  if (code in up && code in last && last[code] != value) {
    fell = 0
    for (b = 1; b <= length(value); b++) if (substr(last[code], b, 1) > substr(value, b, 1)) fell = 1
    if (fell && fault == "") { fault = now; hit = code }
    if (change == "") { change = now; changed = code }
  }
  last[code] = value
  events[code]++
  at[code, events[code]] = now
  what[code, events[code]] = value
}

# ---- what the picture shows
function in_picture(code, port, e, v, until) {  # the bit of this port was 1 in the picture
  for (e = 1; e <= events[code]; e++) {
    until = e < events[code] ? at[code, e + 1] : now + 1
    v = what[code, e]
    if (substr(v, length(v) - port, 1) == "1" && until > left && at[code, e] < left + SHOWN * cycle) return 1
  }
  return 0
}
function moves(code, port, e, v, was) {  # this bit changed
  for (e = 1; e <= events[code]; e++) {
    v = substr(what[code, e], length(what[code, e]) - port, 1)
    if (e > 1 && v != was) return 1
    was = v
  }
  return 0
}

# ---- lines of a layout
function comment(text) { print "@200"; print "-" text }
function open_group(text) { print "@800200"; print "-" text }
function closed_group(text) { print "@c00200"; print "-" text }
function end_group(text) { print "@1000200"; print "-" text }
function row(flags, color, name, signal) { print "@" flags; print "[color] " color; print "+{" name "} " signal }
function range(w) { return w > 1 ? "[" w - 1 ":0]" : "" }
function bit_of(signal, w, b) { return " (" w - 1 - b ")" signal "[" w - 1 ":0]" }
function field(signal, w, from, n, b, s) {
  for (b = from + n - 1; b >= from; b--) s = s bit_of(signal, w, b)
  return s
}
function words(number, color, name, signals) {  # a translate filter
  print "@2022"; print "^" number " " filters "/" file[number]; print "[color] " color
  print (signals ~ /^ / ? "#{" name "}" : "+{" name "} ") signals
}
function numbers(color, name, signals) {  # the process filter: a field of a head, nothing while there is none
  print "@4022"; print "^>1 " filters "/field"; print "[color] " color; print "#{" name "}" signals
}
function flit(color, name, unit, way) {
  words(1, color, name, " " unit ".valid_" way " " unit ".bad_" way field(unit ".kind_" way, 2, 0, 2))
}
function header(color, name, unit, way, f) {
  numbers(color, name, " " unit ".valid_" way bit_of(unit ".kind_" way, 2, 0) field(unit ".data_" way, w, lsb[f], wide[f]))
}
function vc_name(base, v, text) { return base (vcs > 1 ? " vc" v : "") " " text }

function input_port(s, i, unit, v, vc) {
  unit = s ".switch.g_in[" i "].u_input"
  flit(3, "in" i " flit", unit, "i")
  header(3, "in" i " to terminal", unit, "i", "dst")
  for (v = 0; v < vcs; v++) {
    vc = unit ".g_vc[" v "].u_vc"
    words(2, 4, vc_name("in" i, v, "VC state"), vc ".state_q[2:0]")
    if (file[3] != "") words(3, 4, vc_name("in" i, v, "ports"), field(vc ".state_q", 3, 0, 3) field(vc ".cand_q", vcs * po, 0, vcs * po))
    else row("22", 4, vc_name("in" i, v, "candidates"), vc ".cand_q" range(vcs * po))
    row("24", 4, vc_name("in" i, v, "flits stored"), vc ".u_fifo.count_q" range(cw))
  }
}
function output_port(s, o, unit, v) {
  unit = s ".switch.g_out[" o "].u_output"
  flit(5, "out" o " flit", unit, "o")
  for (v = 0; v < vcs; v++)
    row("24", 5, vc_name("out" o, v, "credits"), unit ".g_vc[" v "].credits_q" range(cw))
}
function links(s) {
  row("28", 1, "in_up   (port " pi - 1 "..0)", s ".in_up_i" range(pi))
  row("28", 1, "out_up  (port " po - 1 "..0)", s ".out_up_i" range(po))
}
function state_rows(s, u) {
  u = s ".switch.g_state.u_vector"
  if (seen[u]) {
    row("28", 2, "re-route vector", u ".vector_q" range(po / 2))
    row("28", 2, "neighbours' faults", u ".neighbour_q" range(po / 2))
    row("24", 2, "re-route timer", u ".timer_q[15:0]")
  }
  row("28", 2, "discards (port " pi - 1 "..0)", s ".discard_o" range(pi))
}

END {
  if (!switches) exit 3
  if (fault == "") { fault = change; hit = changed }
  center = sw[1]
  if (fault != "")
    for (n = switches; n >= 1; n--)
      if (index(up[hit] " ", " " sw[n] " ")) center = sw[n]
  # Both ends of a link see its fall in one instant: the first of the dump is the one that was asked for.
  for (n = switches; n >= 1; n--)
    for (e = 1; e <= events[id[sw[n], "out_up_i"]]; e++)
      if (fault != "" && e > 1 && at[id[sw[n], "out_up_i"], e] == fault) center = sw[n]
  left = fault == "" ? now - SHOWN * cycle : fault - PRE * cycle
  if (left < first) left = first

  pi = bits[center, "in_up_i"]; po = bits[center, "out_up_i"]
  if (!pi || !po) exit 3
  vcs = bits[center, "in_credit_o"] / pi
  w = bits[center, "in_data_i"] / pi
  cw = COUNT_BITS ? COUNT_BITS : count_bits

  # filters
  file[1] = "flit"; file[2] = "vc_state"
  for (k = 0; k < 16; k++)
    printf "%x %s\n", k, k < 8 ? "?gray10?_" : (k % 8 > 3 ? "?red?BAD " word[k % 4] : (k % 2 ? "?DarkGreen?" : "?DarkSlateGray?") word[k % 4]) \
      > (filters "/flit")
  for (k = 0; k < 8; k++)
    printf "%x %s\n", k, k in state ? (state[k] == "idle" ? "?gray10?_" : (state[k] == "drain" ? "?red?" : (state[k] == "waiting" ? \
      "?saddlebrown?" : "?DarkSlateBlue?")) state[k]) : "?red?" k > (filters "/vc_state")
  if (vcs == 1 && po <= 8) {  # ports as a list of their numbers; nothing where the state has no candidate set
    file[3] = "ports"
    digits = int((3 + po + 3) / 4)
    for (k = 0; k < 8; k++)
      for (c = 0; c < 2 ^ po; c++) {
        list = ""
        for (b = 0; b < po; b++) if (int(c / 2 ^ b) % 2) list = list b
        none = !(k in state) || state[k] == "idle" || state[k] == "drain" || list == ""
        printf "%0*x %s\n", digits, k * 2 ^ po + c, none ? "?gray10?_" : "?gray25?" list > (filters "/ports")
      }
  }
  shell = filters "/field"
  print "#!/bin/sh\n# {valid, head, field} in hex to the field in decimals." > shell
  print "while read -r v; do\n  case $v in\n  *[!0-9a-fA-F]*|'') echo '?gray10?_' ;;" > shell
  print "  *)\n    n=$((0x$v)) d=${#v}\n    case $d in 3) s=8 ;; 5) s=16 ;; *) s=$((d * 4 - 4)) ;; esac" > shell
  print "    if [ $((n >> s)) = 3 ]; then echo \"?DarkGreen?$((n & ((1 << s) - 1)))\"; else echo '?gray10?_'; fi ;;\n  esac\ndone" > shell

  # layout
  print "[dumpfile] \"" dump "\""
  print "[timestart] " left
  print "[size] " width " " height
  print "[pos] 0 0"
  printf "*%.6f %d", log((width - NAMES - 160) / (SHOWN * cycle)) / log(2), fault == "" ? -1 : fault
  for (n = 0; n < 26; n++) printf " -1"
  print ""
  print "[sst_expanded] 0"
  print "[signals_width] " NAMES

  comment("switch " center ": level, index" (fault == "" ? "" : "; marker: the fault, cycle " int(fault / cycle)))
  row("28", 0, "clock", center ".clk_i")
  links(center)
  state_rows(center)
  comment("input ports: those hit, then those in use")
  list = idle_in = ""
  for (pass = 1; pass <= 3; pass++)
    for (i = 0; i < pi; i++) {
      mine = moves(id[center, "in_up_i"], i) ? 1 : in_picture(id[center, "in_valid_i"], i) ? 2 : 3
      if (mine != pass) continue
      if (pass == 3 && idle_in == "") { idle_in = 1; closed_group("idle input ports") }
      input_port(center, i)
    }
  if (idle_in) end_group("idle input ports")
  comment("output ports")
  idle_out = ""
  for (pass = 1; pass <= 3; pass++)
    for (o = 0; o < po; o++) {
      mine = moves(id[center, "out_up_i"], o) ? 1 : in_picture(id[center, "out_valid_o"], o) ? 2 : 3
      if (mine != pass) continue
      if (pass == 3 && idle_out == "") { idle_out = 1; closed_group("idle output ports") }
      output_port(center, o)
    }
  if (idle_out) end_group("idle output ports")
  closed_group("more of the headers")
  for (i = 0; i < pi; i++) {
    header(3, "in" i " from terminal", center ".switch.g_in[" i "].u_input", "i", "src")
    header(3, "in" i " tag", center ".switch.g_in[" i "].u_input", "i", "tag")
  }
  for (o = 0; o < po; o++) {
    header(5, "out" o " to terminal", center ".switch.g_out[" o "].u_output", "o", "dst")
    header(5, "out" o " from terminal", center ".switch.g_out[" o "].u_output", "o", "src")
    header(5, "out" o " tag", center ".switch.g_out[" o "].u_output", "o", "tag")
  }
  end_group("more of the headers")
  for (n = 1; n <= switches; n++) {
    if (sw[n] == center) continue
    closed_group("switch " sw[n])
    links(sw[n])
    state_rows(sw[n])
    for (i = 0; i < pi; i++) input_port(sw[n], i)
    for (o = 0; o < po; o++) output_port(sw[n], o)
    end_group("switch " sw[n])
  }
}
