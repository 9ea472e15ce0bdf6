/** Read by `source`, or kept as `_specwright` in a folder of `$fpath`. */
export const zsh = `#compdef specwright
# specwright: completion for zsh

_specwright() {
  local -a lines head offered
  local line
  lines=("\${(@f)$(specwright completion zsh --line "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
  head=(\${=lines[1]})
  for line in "\${(@)lines[2,-1]}"; do
    offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#offered )); then
    if [[ $head[2] == open ]]; then
      _describe -V specwright offered -S ''
    else
      _describe -V specwright offered
    fi
  fi
  [[ $head[1] == (files|folders) ]] || return 0
  [[ $head[3] == - ]] || compset -P "\${(b)head[3]}"
  if [[ $head[1] == folders ]]; then
    _files -/
  elif (( $#head > 3 )); then
    _files -g "*.(\${(j:|:)head[4,-1]})(-.)"
  else
    _files
  fi
}

if [[ $funcstack[1] == _specwright ]]; then
  _specwright "$@"
elif (( $+functions[compdef] )); then
  compdef _specwright specwright
else
  autoload -Uz compinit && compinit && compdef _specwright specwright
fi
`
