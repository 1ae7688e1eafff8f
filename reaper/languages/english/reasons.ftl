# Why something is so. Every value is named with its unit; SPAN says seconds, SHORT in few letters.

together = { $reasons }
refused = { RULE($rule) }: { $reason }

## Rules, as they stand before a reason.
rule-budget = budget
rule-deaf = deaf
rule-delivery = delivery
rule-demand = demand
rule-dispute = dispute
rule-dropped = dropped
rule-evidence = evidence
rule-grace = grace
rule-host = host
rule-hours = hours
rule-interlock = interlock
rule-keep = keep
rule-kernel = kernel
rule-killed = killed
rule-lacking = lacking
rule-last-look = last look
rule-limit = limit
rule-network = network
rule-not-saved = not saved
rule-notices = notices
rule-observed = observed
rule-owner = owner
rule-paused = paused
rule-presence = presence
rule-quota = quota
rule-rhythm = rhythm
rule-save = save
rule-upheld = upheld
rule-verdict = verdict
rule-window = window

## What stands against a step.
idle-only = idle for { SPAN($seconds) } only
kind-unnamed = { $kind } is released only where a policy names it
minute-too-old = the newest closed minute is too old
input-ago = input { SPAN($seconds) } ago
waits-longer = waits for { SPAN($seconds) } of idleness
outside-hours-person = outside working hours and nothing proves its person away
outside-hours-jobs = outside working hours and no job waits for these GPUs
outside-hours-workloads = outside working hours and no workload waits for these GPUs
hours-unknown-person = no directory answers about its owner's working hours and nothing proves its person away
hours-unknown-jobs = no directory answers about its owner's working hours and no job waits for these GPUs
hours-unknown-workloads = no directory answers about its owner's working hours and no workload waits for these GPUs
no-job-fits = no pending job could start on these GPUs
no-workload-fits = no pending workload could start on these GPUs
observed-only = this policy version is observed for { SPAN($seconds) } only
answers-unheard = answers cannot be heard for { $minutes } min
owner-changed = whoever was warned is not known as its owner now
operator-kept = kept by an operator
kept = kept by { $giver }
team-holds = its team holds { $held } of { $allowed ->
    [one] { $allowed } GPU
   *[other] { $allowed } GPUs
 }
team-idles = { $idle } of its team's GPUs idle, { $allowed } may
disputed = disputed; an operator must rule
is-disputed = disputed
verdict-is = { $kind }: { $reason }
not-arrived = warning { $warning } has not arrived ({ $state ->
    [unsent] not sent
   *[other] { $state }
 })
not-arrived-for = warning { $warning } has not arrived ({ $state }: { $error })
last-notice-unarrived = its last notice has not arrived after all
told-within-day = its owner had { $notices ->
    [one] { $notices } notice
   *[other] { $notices } notices
 } of it within a day
grace-ends-outside = its grace would end outside working hours
limit-ends-first = its own time limit ends it before a release would
unknown-after-save = what it does after the save is not known yet
session-unsignalled = an interactive session is never signalled
signal-uncaught = { $signal } not caught { $whom ->
    [any] by its batch script or by every step
   *[other] by its { $whom }
 }: it is never signalled
signals-uncaught = { $first } and { $second } not caught { $whom ->
    [any] by its batch script or by every step
   *[other] by its { $whom }
 }: it is never signalled
dropped-in-a-row = { $why } ({ $times ->
    [one] { $times } time
   *[other] { $times } times
 } in a row)
budget-cycle = { $acts ->
    [one] { $acts } act
   *[other] { $acts } acts
 } a cycle
budget-hour = { $acts ->
    [one] { $acts } act
   *[other] { $acts } acts
 } an hour
budget-owner = { $acts } an owner
budget-node = { $acts } a node
budget-share = { $percent }% of the allocated GPUs an hour
budget-approval = over { $gpus ->
    [one] { $gpus } GPU
   *[other] { $gpus } GPUs
 } need two operators' approval
kill-switch = the kill switch is set
few-seen = only { $percent }% of the allocated devices are seen
turned-idle = { $devices } of { $of } devices turned idle within 15 min
exporters-restarted = { $restarted } of { $exporters } exporters restarted in an hour
clock-stepped = the clock stepped by { $seconds } s
last-acts-failed = the last two acts failed or were reverted
owner-gave-back = its owner has given it back: it ends within minutes, once it is checked
operator-will-look = it is disputed: an operator will look at it
store-full = nothing is judged or done: { $why }; make room for it

## Whether its person is there.
no-session = no session seen: presence is unknown
session-unmeasured = { $kind }: what goes on in it is not measured
session-unprovable = { $kind }: nothing can prove that its person is away
session-state = { $kind }: { $state }
session-unread = { $kind }: its last input cannot be read
session-old = { $kind }: last looked at { $minutes } min ago
no-input = no human input for { $minutes } min ({ $kinds })

## What rules a release out, though its GPUs idle.
kernel-unmeasured = a kernel is busy, and nothing measures its host
host-unmeasured = nothing measures what it does on its host
network-unknown = no process is on its GPUs, and nothing shows that it moves no data
came-back-before = it came back to work from a pause like this one before: waits for { SHORT($seconds) }

## What an allocation does, as it is judged.
and = { $first } and { $second }
family-profiling = profiling
family-utilisation = utilisation
family-power = power
family-context = context
family-history = history
seen-by = { " " }by { FAMILIES($families) }
ownership = ownership: { $doubt }
never-seen = never seen: { $devices }
devices = { $names }
none = no device
no-signal = no signal for { SHORT($seconds) }
requests-unseen = its requests are not seen at present
requests-answered = requests were answered in the newest minute
between-requests = between requests
requests-still = its requests stood still through { SHORT($seconds) } of work on its GPUs: they are no witness
no-request-alone = no request for { SHORT($seconds) }, but no other witness agrees
no-request-no-work = no request for { SHORT($seconds) }, no work{ $by }
requests-uncounted = a server is judged by its requests, and nothing counts them
idle-unwitnessed = idle { SHORT($seconds) }, but no witness on { $gpu }: { $needed } of different kinds are needed
idle-one-witness = idle { SHORT($seconds) }, by one witness only ({ $by }) on { $gpu }: { $needed } of different kinds are needed
no-work = no work on { $devices ->
    [1] GPU
   *[other] { $devices } GPUs
 } for { SHORT($seconds) }{ $by }
little-work = little or no work on { $devices ->
    [1] GPU
   *[other] { $devices } GPUs
 } for { SHORT($seconds) }{ $by }
nothing-held = no process, no memory held
memory-held = memory or a context held
host-unknown-yet = what its host does is not known yet
host-worked = its host worked { $percent }% of that time
host-rests = its host rests for { SHORT($seconds) } only
host-works = its host works now
host-worked-last = its host worked when it was seen last
hung = engines busy without any work on { $devices ->
    [1] its GPU
   *[other] all { $devices } GPUs
 } for { SHORT($seconds) }
hung-some = engines busy without any work on { $waiting } of { $devices } GPUs for { SHORT($seconds) }
rank-died = on { $devices } nothing goes on: a rank of it may have died
blips-regular = a blip of work every { SHORT($seconds) }, { $times } times, and nothing else
blips-short = { $times } short blips of work without a long pause, { $percent }% idle between them
trickle = { $percent }% of the SMs at work in every minute for { SHORT($seconds) }, never more
clocked = an input every { SHORT($every) }, { $times } times to within { SHORT($spread) }, and { $reason }
devices-unseen = { $unseen } of { $devices } devices unseen
some-idle = { $idle } of { $devices } idle for { SHORT($seconds) }
devices-at-work = { $working } of { $devices } devices at work
pausing = pausing for { SHORT($seconds) }
bursts = bursts of work, { $percent }% of the last hour, with waits between: what for is not measured here
bursts-reading = bursts of work, { $percent }% of the last hour, with waits between: its processes read or write
bursts-host = bursts of work, { $percent }% of the last hour, with waits between: its host works on { $cores } cores
bursts-quiet = bursts of work, { $percent }% of the last hour, with waits between: its host is quiet
cure-storage = stage the data on fast local storage
cure-workers = give the loader more workers
cure-ranks = look at communication and at other ranks

## What would do as well.
advice-partial = { $spare } of { $devices } GPUs idle for { $minutes } min while the others work: { $devices } - { $spare } = { $left } would do
advice-pauses = idle { $times } times for { $minutes } min or longer within a day, { $total } min in all: given back between, it costs nothing
advice-slice = uses { $used } of { $card } GB and { $percent }% of the SMs of a whole { $model }: 1/7 of them with { $slice } GB would do
advice-tensor = tensor cores at { $percent }% while the SMs work: mixed precision (bf16, tf32) may finish it sooner on fewer GPUs
advised = { $run }: { $advice }

## What happened, and what came of it.
case-opened = { $run } under { $policy }: { $reason }
released = { $run } is gone: released
release-failed = { $run }: release failed: { $error }
release-reverted = { $run }: release reverted: { $error }
step-dropped = { $run }: { $error }
gone-as-asked = { $run } is gone: { $who } asked for its release
saved-itself = { $run } saved itself: its proof is there
save-unproven = { $run }: no save is proven: { $error }
ended-at-limit = { $run } ended at its own time limit
ended-itself = { $run } ended by itself
run-is = the run is { $state }
not-begun-in-time = it was not begun in time
wish-not-begun = it could not be begun in time
only-observes-now = its policy only observes now
not-theirs = it is not { $who }'s any more
no-policy-any-more = no policy is for it any more
operator-keeps = an operator keeps it
operator-disputes = an operator disputes it
