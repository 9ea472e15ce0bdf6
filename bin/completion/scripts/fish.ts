/** Read by `source`, or kept as `specwright.fish` among the completions of fish. */
export const fish = `# specwright: completion for fish

function __specwright_complete
    set -l lines (specwright completion fish --line (commandline -cp | string collect) 2>/dev/null)
    set -l head (string split ' ' -- $lines[1])
    test (count $lines) -gt 1; and printf '%s\\n' $lines[2..]
    contains -- "$head[1]" files folders; or return 0
    set -l typed (commandline -ct)
    set -l prefix ''
    if test "$head[3]" != -
        set prefix $head[3]
        set typed (string sub -s (math (string length -- $prefix) + 1) -- $typed)
    end
    for path in (__fish_complete_path "$typed" | string replace -r '\\t.*' '')
        if string match -q '*/' -- $path
            printf '%s\\n' $prefix$path
        else if test "$head[1]" = files
            set -l ending (string replace -r '.*\\.' '' -- $path)
            if test (count $head) -lt 4; or contains -- $ending $head[4..]
                printf '%s\\n' $prefix$path
            end
        end
    end
end

complete -c specwright -f -a '(__specwright_complete)'
`
