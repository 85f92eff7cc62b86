# completion.zsh LINE - what zsh completes LINE to, a line each: its own completion, in a terminal, with the script ./_uturn.
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'autoload -Uz compinit; compinit -u -D; source ./_uturn
hits() {
  compadd() {
    local -a hit
    [[ $* == *-[OAD]\ * ]] || builtin compadd -A hit "$@"
    (($#hit)) && print -l -- "hit:"$^hit
    builtin compadd "$@"
  }
  _main_complete
  print "hit:end"
}
zle -C hits complete-word hits; bindkey "^X" hits; print rea""dy'
zpty -r -m z line '*ready*'
zpty -w -n z "$1"$'\C-X'
while zpty -r z line; do
  case $line in
  *hit:end*) exit ;;
  *hit:*) print -r -- ${${line##*hit:}%%$'\r'*} ;;
  esac
done
