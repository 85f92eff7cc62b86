# SPDX-License-Identifier: Apache-2.0
# environment.sh - for our scripts, at their beginning: `. FILE`.  sh and bash.  What makes programs and the shell behave otherwise than is
# expected: programs come from the absolute entries of PATH, never from the current folder; no option of the environment changes what
# they accept; the three standard streams are open - the wrong way round, so that using one that was closed fails as it did.
rest=${PATH-}:
PATH=
while [ -n "$rest" ]; do
  case $rest in /*) PATH=${PATH:+$PATH:}${rest%%:*} ;; esac
  rest=${rest#*:}
done
# a PATH without the tools of every system gets those
command -v sed >/dev/null 2>&1 || PATH=${PATH:+$PATH:}/usr/bin:/bin
export PATH
unset rest POSIXLY_CORRECT ARGP_HELP_FMT CDPATH GREP_OPTIONS
(: >&2) || exec 2</dev/null
(: <&0) 2>/dev/null || exec 0>/dev/null
(: >&1) 2>/dev/null || exec 1</dev/null

# plain TEXT: as a terminal may show it: UTF-8 without control characters
plain() { printf '%s' "$1" | LC_ALL=C command -p tr '\000-\037\177' '?' | command -p iconv -c -f UTF-8 -t UTF-8 | LC_ALL=C command -p sed 's/\xc2[\x80-\x9f]/?/g'; }
