# Why a request is refused: what, which one, who may, what to do instead.

## What it is about

listed = `gpu-reaper status` lists them as platform/id
many-of-that-name = { $name } names more than one allocation: { listed }
none-of-that-name = { $name } names no live allocation: { listed }
no-open-case = { $allocation } has no open case: nothing is going to happen to it
not-in-the-books = { $allocation } is not in the books yet: ask again in a minute
was-released = { $run } was released on { $at }: it is over; if that was wrong, `gpu-reaper dispute { $run } --reason …` says so for { $days } days
has-ended = { $run } ended on { $at }: nothing can happen to it any more

## Who asks

not-yours = { $allocation } belongs to { $owned ->
    [yes] { $owner }
   *[no] nobody known
 }, not { $user }
was-not-yours = { $run } belonged to { $owned ->
    [yes] { $owner }
   *[no] nobody known
 }, not { $user }
owner-alone-gives-back = { $allocation } belongs to { $owned ->
    [yes] { $owner }
   *[no] nobody known
 }: only its owner may give it back
operators-alone = { $user } may not { $what ->
    [pause] pause
    [resume] resume
    [rule] rule on disputes
   *[approve] approve
 }: only operators may (see `operators:`)
answered-already = this answer was given already, and counts once: look at your allocations, or ask with `gpu-reaper`
connection-gone = the connection is gone
foreign-namespace = asked from a foreign user namespace or as nobody: ask as a user of this machine
nameless-uid = uid { $uid } has no name on this machine: ask as a user that it knows

## Keeping

no-time-to-keep = { $seconds } s is no time to keep anything: ask for 2h or so
not-kept = not kept: { $why }; an operator can keep or exempt it
not-kept-so-long = not kept: at most { $days } days; for longer write an exemption (`exemptions:`)
mornings-used-up = only { $allowed } a week until the next morning
no-mornings = its policy knows no keep until the next morning
longer-than-allowed = at most { $hours } h at a time
keeps-used-up = only { $allowed ->
    [one] { $allowed } keep
   *[other] { $allowed } keeps
 } a day
keeps-used-up-unused = { keeps-used-up }, and those of a day come back only once it was used since: work on it or type in its session

## Giving back, disputing

yourself = { $command ->
    [none] you can end it yourself
   *[other] you can: { $command }
 }
not-touched = { $allocation } is not touched from here ({ $policed ->
    [yes] policy { $policy } only observes
   *[no] no policy is for it
 }): { yourself }
nothing-released-now = nothing is released now ({ $hold }: { $reason }): { yourself }
not-known = it is not known what { $allocation } holds and does ({ $reason }): { yourself }
at-work = { $allocation } is at work ({ $verdict }: { $reason }): confirm that it is to end
saving-itself = { $run } is saving itself before its release: look again in some minutes
being-released = { $run } is being released already: look again in some minutes
will-be-released = { $run } will be released already, as { $by } asked
disputed-already = { $run } is disputed already; an operator will look at it

## What operators ask

no-policy = no policy { $policy }: { $known ->
    [none] there is none
   *[other] { $known }
 }
no-hold = no hold { $hold }: { $known ->
    [none] none stands
   *[other] { $known }
 }
no-hold-stands = no hold stands: nothing is to be lifted
many-holds = { $count } holds stand, name one with `--hold`: { $known }
not-disputed = { $allocation } is not disputed
approved-already = { $user } has approved { $allocation } already; another must
no-room = nothing can be written down now ({ $why }): make room for it
