# What pages say. A name is a key of templates too, hence its underscores.
# $count is a number that decides the form; $at is an instant, $span a duration, both said already.

## Frame of every page

lost = The reaper does not answer
lost_text = This page shows what it said last.
skip = Skip to the figures
picture_from = picture from
last_cycled = reaper last cycled
rooms = Pages
cluster = Cluster
my_allocations = My allocations
queue = Queue
audit = Audit trail
report = Week's report
sign_out = Sign out
sign_in = Sign in
back = Back
to_start = To the first page
week = Week
so_far = so far
show = Show
take_away = Take it away as
read_first = To be read first
done = Done
metrics = metrics
changes_nothing = this page changes nothing;
does = does

## Answers

for_how_long = For how long
keep = Keep
for = for
until_morning = Keep until the next working morning
next_keep = the next at { $at }
once_used = more once it is used again
give_back = Give it back …
wrong = This is wrong …
can_answer = What you can answer for { $allocation }
what_is_wrong = What is wrong
why = Why
may_stay_empty = (may stay empty)
question_keep = It stays yours for as long as you choose; nothing is warned or released until then.
question_until_morning = It stays yours until ten o'clock of your next working day.
question_release = It ends within minutes, as if you had ended it yourself: what is not saved is lost, and its GPUs go to whoever waits.
question_dispute = Nothing more happens to it until an operator has looked at it.
question_past = An operator looks at what was done; it counts as a false alarm until then.
at_work = It is at work now.
confirm = I know that it is at work, and it is to end.
title_keep = Keep it?
title_until_morning = Keep it until the next working morning?
title_release = Give it back now?
title_dispute = Is this wrong?
send_keep = Keep it
send_until_morning = Keep it until the morning
send_release = Give it back
send_dispute = Say that it is wrong
thank_you = Thank you
what_becomes = What is to become of it?
used_link = This link was used, and works once. A newer message has a new one.
nothing_to_ask = Nothing can be asked of it now.
others = Other answers
answer_as = You answer as { $user }. One answer can be given with this link, until { $until }.
leave = Leave it as it is
cannot_now = That cannot be asked of it now.
look = Look at it

## My allocations

nothing = Nothing
held_by_you = is held by you.
unclear = nothing can be said at present.
tracks_show = Tracks show the last { $span }, newest at the right.
nothing_happens = Nothing happens to it
kept_until = Kept until { $at }
on = on
since = since { $at }
ends_itself = ends by itself { $at }
none_yet = When you hold GPUs, they are listed here, with what they do and what happens next.
lists_all = lists all.
lately = Lately
lately_text = cases of yours that ended in the last seven days
allocation = Allocation
how = How it went
when = When
closed = closed
disputed = disputed
letters = What the letters of a track say
lasts = { $verdict } for { $span }
spoken = { $letter } for { $span }
has_ended = has ended
went = How it went:
ended = Ended
burning = , burning
an_hour = an hour
nobody_known = nobody known
held = held
held_for = for { $span }
nothing_recorded = nothing recorded

## What happens next

at = at { $at }
then = then { $step }
then_nothing = nothing
no_policy = Nothing
no_policy_text = no policy matches it
in_part = Nothing
in_part_text = not all of its GPUs are idle
not_yet = Nothing yet
not_yet_text = no warning is due
no_more = Nothing more
no_more_text = its policy has no further step
step_held = { $step } held
step_overdue = { $step } overdue
plain_unknown = What its GPUs do cannot be told now, so nothing is done to it.
plain_busy = Its GPUs are in use, so nothing is done to it.
plain_left = Its GPUs do little, but something goes on there, so it is left alone.
plain_idle = Nothing has used its GPUs since { $at }.
plain_kept = It is left alone until { $at }, as was asked.
plain_watched = Nothing is ended for that here: it is only noted, or told to its owner.
plain_first = If that goes on, its owner is warned first and has time to answer.
plain_under_way = What was decided on it is under way.
plain_held = It goes on for now: something stands against ending it, as is told below.
plain_released = If that goes on, it ends { $at } at the earliest; working with it or asking to keep it prevents that.
released_from = released { $at } at the earliest
would_be_released_from = would be released { $at } at the earliest
meant_warning = Warning
meant_final_warning = Final warning
meant_release = Release
meant_save = Save
would_warning = Would warn
would_final_warning = Would give the final warning
would_release = Would release
would_save = Would save
stale = This picture is { $span } old
stale_ahead = This picture lies { $span } in the future: the clock was set back
stale_text = No cycle was written since { $at }: nothing below is current.
as_of = , as of { $at }
stop_until = until { $at }
stop_lifted = until it is lifted
stop_for = { " " }for { $scope }
stop_text = By { $by } since { $since }; nothing is released{ $scope } { $until }.
fast = Not the pace of a cluster
fast_clock = The clock runs { $rate } times as fast
usual_clock = The clock runs as usual
fast_step = a step of the grid is { $seconds } s

## Verdicts

verdict_busy = busy
verdict_starved = starved
verdict_partial = partial
verdict_idle = idle
verdict_empty = empty
verdict_idle_host_busy = idle, host busy
verdict_stalled = stalled
verdict_suspect = suspect
verdict_warm = warm
verdict_unknown = unknown

## Letters of a track

letter_A = active
letter_L = low
letter_H = idle, memory or a context held
letter_E = idle, empty
letter_X = engine busy without work
letter_unseen = unseen
letter_contradicted = contradicted

## Outcomes of what was asked; where English is empty, the error or the answer speaks for itself

done_keep = { "" }
done_until_morning = { "" }
done_release = { "" }
done_dispute = { "" }
done_late = { "" }
not_done = Not done
dead_link = This link no longer works
dead_link_text = It is altered, too old, or not from this system.  Look at your allocations, or answer with `gpu-reaper`; a newer message has a link that works.
forgotten_link = What this link is about is no longer known here.
title_401 = Not signed in
title_403 = Not for you
title_404 = No such allocation
title_no_report = No such report
title_no_page = No such page
no_page = There is nothing at this address.
error_page = It could not be answered:
title_429 = Too many attempts
title_503 = No cycle yet
title_other = That did not work
error_stranger = { "" }
error_not_yours = { "" }
error_unknown = { "" }
error_forged = { "" }
error_too_many = { "" }
error_no_cycle = { "" }
error_used = { "" }
error_unconfirmed = { "" }
error_refused = { "" }
error_field = { "" }
error_other = { "" }
signed_out = Signed out
signed_out_text = You are signed out here; your provider may still know you on this machine.
at_proxy = People sign in at the proxy before this page: ask for it by its own address.

## Queue

calm_queue = Nothing
calm_queue_rest = waits for an operator.
disputes = Disputes
disputes_text = the case stands still until you rule
dispute_of = Dispute of { $allocation }
owner_unknown = owner unknown
about = on
policy_named = policy { $policy }
uphold = Uphold: it was wrong
reject = Reject: go on
no_disputes = Nobody disputes anything.
approvals = Approvals
approvals_text = two operators, each once
approval_of = Approval of { $allocation }
burns = It burns { $amount } an hour.
approve = Approve its release
no_approvals = No release needs approval.
stops = Stops
stops_text = nothing acts there until they are lifted
stop_named = Stop { $stop }
stop_scope = for { $scope }
stop_since = by { $by } since { $at }
lift = Lift it
no_stops = Nothing is stopped.
pause = Pause
every_act = every act
acts_of = acts of policy { $policy }
held_steps = Held
held_text = due, and refused by a rule or a budget
next = Next
held_by = Held by
none_held = Nothing that is due is held.
undelivered = Undelivered
undelivered_text = no release follows them
to_whom = To
about_what = About
all_delivered = Every notice has arrived, or is on its way.
of_nobody = Of nobody known
never_released = never released
account = account { $account }
all_owned = Every case has an owner.
to_look_at = To look at
in_pieces = Idleness in small pieces, in the last week:
no_findings = Nothing hangs, and nothing looks as if it only kept its GPUs.

## Audit trail

audit_text = What people asked and how; the newest first.
of_the_last = Of the last
with = with
find_changes = who, what, which
who = Who
what = What
of_what = Of what
their_words = In their words
whole_cluster = the whole cluster
no_changes = Nobody has changed anything.
no_changes_fit = Nobody has changed anything that fits “{ $query }”.

## Evidence

tracks = Tracks
tracks_text = a letter for each { $step }, a row for each { $span }
tracks_ended = its last hours, a letter for each { $step }
not_drawn = It is not known which devices it holds, so nothing is drawn and nothing is done.
whose = Whose, and which rule
owner = Owner
gpus_held = GPUs
unknown = unknown
runs_since = Runs since
own_limit = its own limit ends it { $at }
purpose = Purpose
because = because:
partition = Partition
person = Person
not_asked = not asked: presence does not matter here
host = Host
requests = Requests
seen = Seen
seen_text = { $share } of its newest minutes
policy = Policy
no_rule = none matches: nothing is ever done to it
case = Case
kept = Kept
kept_till = until { $at }
still_needed = Still needed? Its owner may write:
signals = Signals
signals_text = an act needs two witnesses
witnesses = Witnesses
no_witness = none says idle
memory = Memory
power = Power
read_from = Read from
no_exporter = no exporter answers
seen_throughout = seen throughout:
cases = Cases
happened = What happened
by_whom = by { $by }
not_yet_recorded = Nothing is recorded of it yet.
notices = Notices
notice = Notice
sent_to = to
fate = fate
nobody_told = Nobody was told anything.
a_keep = Keep
till = until
reason = why
an_operator = an operator
host_worked = worked { $worked } of the last { $span }
host_unseen = , { $span } unseen
requests_text = { $answered } answered, { $pending } under way; { $quiet }
requests_none = none for { $span }
requests_now = one in the newest minute
evidence = idle { $span } on { $gpus }
evidence_seen = , { $share } seen
from_to = { $least } to { $most }
gib = { $amount } GiB
mib = { $amount } MiB
watts = { $amount } W
gpu_numbers = GPU { $numbers }

## Headline

head_nothing = Nothing
head_now = Nothing
head_no_cycle = can be said of now: no cycle was written for { $span }
head_then = Then: { $said }
head_who_holds = Who holds the GPUs
head_not_known = is not known
head_no_gpu = No GPU
head_none = No GPU
head_is_held = is held
head_idle = is held and idle
head_seen_idle = that is seen is held and idle
head_burning = , burning { $amount } an hour
head_of_either = can be said of either of the 2 held GPUs
why_unseen = it was not seen in the last step
why_no_platform = no platform is configured that says so
why_no_answer = no answer yet
why_answered = answered { $ago }
why_answered_never = answered never
why_seen = last seen { $ago }
why_seen_never = no page yet
why_more = , and { $count } more

## The whole cluster

count_of = { $count } { $verdict }
nothing_known = Nothing known
of_owner = of { $owner }
nothing_due = Nothing is due.
wanted = wanted by jobs that wait.
wanted_workloads = wanted by workloads that wait.
seen_in_step = of the held GPUs seen in the last step.
without_price = without a price.
no_price = no price
all_by_state = All GPUs by state
idle_now = Idle now
idle_now_text = what burns most first; tracks show the last { $span }, newest at the right
none_holds = No allocation holds a GPU.
none_holds_known = No allocation holds a GPU as far as it is known.
every_works = Every GPU that is held works, or is too young to be judged.
every_other_works = Every other GPU that is held works, or is too young to be judged.
whether_idle = Whether a held GPU idles is not known.
all_allocations = All allocations
find_label = Find by owner, id, name, node
find_hint = owner, id, name, node
find = Find
verdict = Verdict
in_partition = in { $partition }
none_matches = Nothing matches “{ $query }”.
show_all = Show all
more_rows = { $count } more: find by owner, id, name or node above, or ask
sources = Sources
sources_text = what was asked, and how old the answers are
source = Source
says = says
answered = answered
took = took
took_seconds = { $seconds } s
no_source = No source has been asked yet.
nodes = Nodes
nodes_seen = { $nodes } of { $seen } seen
node = Node
wrong_how = is wrong how
last_seen = last seen
nothing_new = nothing new from it
and_more_nodes = And more:
all_nodes_seen = Every node's GPUs are seen, and it is known who holds them.
no_node = No node is known.

## States

state_idle = { $count } idle
state_unknown = { $count } unknown
state_working = { $count } working
state_free = { $count } free
state_free_slices = { $count } free slices
state_unusable = { $count } unusable

## What depends on a number

decisions = { $count ->
    [one] { $count } decision
   *[other] { $count } decisions
 }
wait_for_operator = { $count ->
    [one] waits for an operator.
   *[other] wait for an operator.
 }
count_disputes = { $count ->
    [one] { $count } dispute
   *[other] { $count } disputes
 }
count_approvals = { $count ->
    [one] { $count } approval
   *[other] { $count } approvals
 }
count_held = { $count ->
    [one] { $count } step held
   *[other] { $count } steps held
 }
count_undelivered = { $count ->
    [one] { $count } notice undelivered
   *[other] { $count } notices undelivered
 }
count_nobody = { $count ->
    [one] { $count } case of nobody known
   *[other] { $count } cases of nobody known
 }
count_look = { $count ->
    [one] { $count } allocation to look at
   *[other] { $count } allocations to look at
 }
attempts = { $count ->
    [one] { $count } attempt since { $at }
   *[other] { $count } attempts since { $at }
 }
changes = { $count ->
    [one] { $count } change
   *[other] { $count } changes
 }
in_days = { $count ->
    [one] by people in the last day.
   *[other] by people in the last { $count } days.
 }
days = { $count ->
    [one] { $count } day
   *[other] { $count } days
 }
older = { $count ->
    [one] And { $count } older one: choose fewer days, or ask for a name.
   *[other] And { $count } older ones: choose fewer days, or ask for a name.
 }
delivered_of = { $count ->
    [one] { $count } warning delivered of { $sent } sent
   *[other] { $count } warnings delivered of { $sent } sent
 }
warnings = { $count ->
    [one] { $count } warning delivered
   *[other] { $count } warnings delivered
 }
devices = { $count ->
    [one] { $count } device
   *[other] { $count } devices
 }
head_of_any = { $count ->
    [one] can be said of the held GPU
   *[other] can be said of any of the { $count } held GPUs
 }
head_of_some = { $count ->
    [one] Of { $unclear } of { $count } held GPU nothing can be said
   *[other] Of { $unclear } of { $count } held GPUs nothing can be said
 }
head_are_idle = { $count ->
    [one] is held and idle
   *[other] are held and idle
 }
title_idle = { $count ->
    [one] { $idle } of { $count } GPU idle
   *[other] { $idle } of { $count } GPUs idle
 }
times = { $count ->
    [one] { $count } time
   *[other] { $count } times
 }
gpus = { $count ->
    [one] { $count } GPU
   *[other] { $count } GPUs
 }
of_gpus = { $count ->
    [one] { $idle } of { $count } GPU
   *[other] { $idle } of { $count } GPUs
 }
yours_idle = { $count ->
    [one] { $idle } of your { $count } GPU
   *[other] { $idle } of your { $count } GPUs
 }
are_idle = { $count ->
    [one] is idle.
   *[other] are idle.
 }
idle_of = idle
yours_unclear = { $count ->
    [one] Of your GPU
   *[other] Of { $unclear } of your { $count } GPUs
 }
all_yours = { $count ->
    [one] All of your { $count } GPU
   *[other] All of your { $count } GPUs
 }
all_work = { $count ->
    [one] works, or is too young to be judged.
   *[other] work, or are too young to be judged.
 }
keeps_left = { $count ->
    [one] { $left } of { $count } keep left today
   *[other] { $left } of { $count } keeps left today
 }
mornings_left = { $count ->
    [one] { $left } of { $count } keep until the morning left this week
   *[other] { $left } of { $count } keeps until the morning left this week
 }
more_tracks = and { $count } other tracks
more = And { $count } more, which work:
more_nodes = and { $count } more

## Words of ours that are looked up by what they are in English: kinds, states, modes, witnesses, ways

word_activity = activity
word_holder = holder
word_front = front
word_demand = demand
word_people = people
word_hearing = hearing
word_up = up
word_drained = drained
word_down = down
word_reserved = reserved
word_interactive = interactive
word_training = training
word_inference = inference
word_deferred = deferred
word_other = other
word_observe = observe
word_notify = notify
word_act = act
word_open = open
word_planned = planned
word_acting = acting
word_verifying = verifying
word_saving = saving
word_closed = closed
word_released = released
word_profiling = profiling
word_utilisation = utilisation
word_power = power
word_context = context
word_history = history
word_warning = warning
word_advice = advice
word_final_warning = final warning
word_release = release
word_save = save
word_keep = keep
word_kept = kept
word_dispute = dispute
word_approval = approval
word_approved = approved
word_paused = paused
word_resumed = resumed
word_killed = killed
word_failed = failed
word_interlock = interlock
word_store = store
word_lacking = lacking
word_saved = saved
word_not_saved = not saved
word_reverted = reverted
word_dispute_overdue = dispute overdue
word_upheld = upheld
word_rejected = rejected
word_release_asked = release asked
word_release_intended = release intended
word_would_release = would release
word_ended_by_its_owner = ended by its owner
word_ended_by_itself = ended by itself
word_activity_returned = activity returned
word_its_person_came_back = its person came back
word_policy_changed = policy changed
word_run_began = run began
word_run_ended = run ended
word_case_opened = case opened
word_case_closed = case closed
word_given_back = given back
word_verified = verified
word_delivered = delivered
word_queued = queued
word_assumed = assumed
word_ambiguous = ambiguous
word_returned = returned
word_slack = slack
word_mail = mail
word_link = link
word_mailbox = mailbox
word_proxy = proxy
word_oidc = oidc
word_socket = socket
word_an_operator = an operator
