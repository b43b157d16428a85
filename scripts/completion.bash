# SPDX-License-Identifier: GPL-2.0-only
#
# Completes the options of the module's programs in bash, and the values of options that offer a choice:
#
#   . scripts/completion.bash
#
# completes the programs of examples/ and scratch/, wherever they were built, and scripts/run, sweep, reproduce, test and
# the others. The package installs this file for its programs, and bash-completion finds it by their names. The options
# and values are read from the program's --help, so that schemes added by the user are also offered.

# Prints the options of a program, one per line, from its help: the name, "=" if it takes a value, and the possible
# values. These are true and false, or are listed in the text after a colon, or in brackets with a colon each. The result
# is cached until the program is rebuilt.
_lossless_options()
{
    local program=$1 key
    declare -gA _lossless_known
    key=$program:$(stat -L -c %Y.%s -- "$program" 2>/dev/null)
    if [[ -z ${_lossless_known[$key]-} ]]; then
        _lossless_known[$key]=$("$program" --PrintHelp 2>/dev/null | awk '
            # The first words of a list, if there are at least two.
            function words(list,  parts, number, i, found, count)
            {
                number = split(list, parts, /, or |, | or /)
                for (i = 1; i <= number; ++i)
                {
                    sub(/\.+$/, "", parts[i])
                    if (parts[i] !~ /^[A-Za-z0-9][A-Za-z0-9_.-]*$/ || parts[i] !~ /[A-Za-z]/)
                        break
                    found = found " " parts[i]
                    ++count
                }
                return count > 1 ? found : ""
            }
            function without_brackets(text)
            {
                while (gsub(/ ?\([^()]*\)/, "", text))
                    ;
                return text
            }
            # The names in "(DCQCN: rate, by ...; HPCC: ...)", or the values in "(DCQCN: default, paper; ...)".
            function named(inside,  parts, number, i, colon, found, lists)
            {
                inside = without_brackets(inside)
                sub(/\).*/, "", inside)
                number = split(inside, parts, /; /)
                for (i = 1; i <= number; ++i)
                {
                    colon = index(parts[i], ": ")
                    found = found " " substr(parts[i], 1, colon - 1)
                    lists = lists words(substr(parts[i], colon + 2))
                }
                return lists ? lists : found
            }
            function choices(text)
            {
                if (match(text, /\([A-Za-z][A-Za-z0-9-]*: /))
                    return named(substr(text, RSTART + 1))
                text = without_brackets(text)
                if (!match(text, /: /))
                    return ""
                text = substr(text, RSTART + 2)
                sub(/;.*/, "", text)
                return words(text)
            }
            function finish(  value)
            {
                if (name == "")
                    return
                if (match(text, / \[[^]]*\]$/))
                {
                    value = substr(text, RSTART + 2, RLENGTH - 3)
                    text = substr(text, 1, RSTART - 1)
                }
                print name (is_own ? "=" : "") (value ~ /^(true|false)$/ ? " true false" : is_own ? choices(text) : "")
                name = ""
            }
            /^[A-Z]/ { finish(); is_own = !/^General Arguments/ }
            /^  [^ ]/ { finish() } # the title of a group
            /^    --[A-Za-z]/ {
                finish()
                name = $1
                sub(/\[.*/, "", name)
                sub(/:$/, "", name)
                sub(/^ +--[^ ]* */, "")
                text = $0
                next
            }
            name != "" && /^ +[^ ]/ { sub(/^ +/, " "); text = text $0 }
            END { finish() }')
    fi
    printf '%s\n' "${_lossless_known[$key]}"
}

# Offers the words that begin with the typed word. Bash replaces the part of it after the last "=".
_lossless_offer()
{
    local typed=$1 before=$2 word
    shift 2
    for word; do
        [[ $word != "$typed"* || " ${COMPREPLY[*]} " == *" $before$word "* ]] || COMPREPLY+=("$before$word")
    done
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

_lossless_offer_files()
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Offers the options of a program, or the values of an option. A list, as for scripts/sweep, is completed at its end.
_lossless_offer_options()
{
    local program=$1 typed=$2 is_list=${3-} name value before=''
    local -a names=() values=() words
    if [[ $typed != -*=* ]]; then
        while read -r name value; do
            # A Boolean option needs no value.
            [[ $value != "true false" ]] || name=${name%=}
            names+=("$name")
        done < <(_lossless_options "$program")
        [[ ${#names[@]} -eq 0 ]] || names+=(--help --version)
        _lossless_offer "$typed" "" "${names[@]}"
        return
    fi
    name=${typed%%=*} value=${typed#*=}
    if [[ $is_list && $value == *,* ]]; then
        before=${value%,*}, value=${value##*,}
    fi
    [[ ${COMP_WORDBREAKS-=} == *=* ]] || before=$name=$before
    while read -r -a words; do
        [[ ${words[0]} != "$name=" ]] || values=("${words[@]:1}")
    done < <(_lossless_options "$program")
    _lossless_offer "$value" "$before" "${values[@]}"
    [[ ${#COMPREPLY[@]} -gt 0 ]] || _lossless_offer_files "$value"
}

# Completes a command that is a program.
_lossless_program()
{
    local line=${COMP_LINE:0:COMP_POINT} program=${1/#\~\//$HOME/}
    COMPREPLY=()
    _lossless_offer_options "$(type -P -- "$program")" "${line##*[[:space:]]}"
}

# Completes a command that is one of the scripts. Their programs are those that scripts/run has already built.
_lossless_script()
{
    local line=${COMP_LINE:0:COMP_POINT} script=${1/#\~\//$HOME/}
    local root typed=${line##*[[:space:]]} program='' word key
    local -a words
    COMPREPLY=()
    root=$(cd "$(dirname "$script")/.." && pwd -P) || return
    read -r -a words <<<"${line% *}"
    case $script in
    */run | */sweep)
        for word in "${words[@]:1}"; do
            [[ -z $program && $(_lossless_names "$root") == *" $word "* ]] && program=$word
        done
        if [[ $program && ($script == */run || " ${words[*]} " == *" -- "*) ]]; then
            key=$(printf %s "$root" | sha256sum)
            program=${XDG_CACHE_HOME:-$HOME/.cache}/lossless/build-${key:0:12}/release/bin/$program
            _lossless_offer_options "$program" "$typed" "$([[ $script != */sweep ]] || echo list)"
            return
        fi
        ;;
    esac
    if [[ $typed == -* ]]; then
        mapfile -t words < <("$script" --help 2>/dev/null | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p' | sort -u)
    else
        case $script in
        */run | */sweep) read -r -a words <<<"$(_lossless_names "$root")" ;;
        */reproduce) mapfile -t words < <("$script" --list 2>/dev/null | awk 'NR > 1 { print $1 }') ;;
        */test) mapfile -t words < <("$script" --list 2>/dev/null | grep -v :) ;;
        *) words=() ;;
        esac
    fi
    _lossless_offer "$typed" "" "${words[@]}"
    [[ ${#COMPREPLY[@]} -gt 0 ]] || _lossless_offer_files "$typed"
}

# Prints the names of the programs of a repository, with a space on either side.
_lossless_names()
{
    local source
    printf ' '
    for source in "$1"/examples/*.cc "$1"/examples/benchmark/*-benchmark.cc "$1"/scratch/*.cc; do
        [[ -f $source ]] || continue # of a pattern that nothing matches
        source=${source##*/}
        printf '%s ' "${source%.cc}"
    done
}

_lossless_register()
{
    local place=$1 folder link script
    folder=$(cd "$(dirname "$place")" && pwd -P) || return
    if [[ -L $place ]]; then # bash-completion has looked for the name of a command
        complete -F _lossless_program "${place##*/}"
    elif [[ -d $folder/../examples && -f $folder/run ]]; then
        # shellcheck disable=SC2046 # names without spaces
        complete -F _lossless_program $(_lossless_names "${folder%/*}")
        for script in "$folder"/*; do
            script=${script##*/}
            [[ ! -x $folder/$script || -d $folder/$script ]] ||
                complete -F _lossless_script "scripts/$script" "./scripts/$script" "$folder/$script"
        done
    else
        for link in "$folder"/../bash-completion/completions/*; do
            [[ ! $link -ef $place ]] || complete -F _lossless_program "${link##*/}"
        done
    fi
}

_lossless_register "${BASH_SOURCE[0]}"
