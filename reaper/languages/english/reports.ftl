# What reports say. A name is a key of templates too, hence its underscores.
# Figures are written already: hours, shares and amounts are texts; a number is a number.

## The story

wasted_of = { $wasted } of { $held } held GPU-hours wasted ({ $share })
nothing_seen_of = Nothing was seen of { $held } held GPU-hours: waste is not known
at_least = at least { $amount }
no_price_known = without a price
of_idle_capacity = { $amount } of idle capacity
no_earlier = No earlier week to compare with.
share_wasted = The share wasted is { $compared }.
and = { $one } and { $other }
than_before = { $points } the week before ({ $share })
than_mean = { $points } the mean of the last { $weeks } ({ $share })
as_high = as high as in
above = { $points } points above
below = { $points } points below
returned = Releases returned at most { $returned } GPU-hours ({ $worth }); others put at least { $reused } of them to work ({ $reused_worth }); cash saved { $cash }.
gave_back = Owners gave back { $hours } GPU-hours themselves.
nothing_back = Nothing was released, nothing given back.
first_ends = the first ends { $at }
endless = { $number } without an end
seen_of_held = of the held time was seen.
seen_share = Seen: { $share } of the held time.

## Frame

title = GPU report { $cluster }
title_team = , team { $team }
title_week = , week { $week }
none = none
nothing_listed = None.
week = Week { $week }
week_of = week { $week }
so_far = so far
a_span = A span
from_to = { $begin } to { $end }
closing = closing { $version },
as_of = as of { $at }
gpu_h = { $hours } GPU-h
gpu_hours = GPU-hours
unpriced = unpriced
now = now
policies_without = without { $policies }

## Tiles

wasted = Wasted
avoidable = Avoidable by the policies
reclaimed_most = Reclaimed, at most
reused_least = Re-used, at least
cash = Cash
cash_hours = { $hours } GPU-h on ended nodes
idle_waiting = Idle while jobs waited
asked_for = { $hours } GPU-h asked for

## The first sheet

where = Where every GPU-hour went
where_adds = all states of a bar add up to the calendar
where_team = Where the team’s GPU-hours went
held_too = , { $hours } held
no_hour = No GPU-hour is in the books.
by_week = Share of held time wasted
by_week_text = week by week; the thin line is the high end of the range
by_class = Waste by class
by_class_text = in jobs at work: on some of their GPUs only
class = Class
money = Money
in_jobs_at_work = { $hours } in jobs at work
nobody_held = Nobody held a GPU.
by_team = By team and model
by_team_text = what idle time costs most first, GPU-hours; teams under { $least } GPU-h together
more_lines = { $number } more lines in the annex.
proposals = Proposals
proposals_text = from this week’s figures
would_return = : at least { $hours } GPU-h
worth = { " " }= { $amount }
a_week = { " " }a week
no_proposal = Nothing this week is worth a change.
team = Team
model = Model
held = Held
idle = Idle
of_held = of held
cost_of_idle = Cost of idle
idle_change = Idle, change
seen = Seen
smaller_teams = { $number } smaller teams
no_team = no team
all_models = all models
unknown = unknown
unknown_model = unknown model
all_gpus = All GPUs
mark_too_little = seen too little to rank
mark_in_part = seen in part

## The annex

annex = Annex
veiled = persons and allocations under pseudonyms of this report
named = for named readers only
identity = The identity, in GPU-hours
state = State
sum_of_states = sum of all states
calendar = calendar (GPUs × time)
weeks = Week by week
a_week_column = Week
reclaimed = Reclaimed
reused = Re-used
quarter = quarter so far
top = Allocations that wasted most, or may have
allocation = Allocation
owner = Owner
what = What
longest = Longest
warned_outcome = Warned, outcome
no_case = no case
every_team = Every team and model
actions = Actions and disputes
owners_warned = Owners warned
kept = Kept by their owner
back_at_work = Back at work
given_back = Given back by the owner
released = Released
released_text = { $released }, reverted { $reverted }, failed { $failed }
would_release = Would have been released
idle_before = Idle before the decision
in_median = { $span } in the median
disputed = Disputed as wrong
of_warned = , { $share } of the warned
found_right = ; { $number } found right
to_look_at = To be looked at
to_look_text = only kept, hung, or idle in pieces
exemptions = Exemptions in force
demand = Demand beside waste
asked_by_waiting = Asked for by waiting jobs
something_waited = Something waited
of_the_time = { $share } of the time
most_at_once = Most at once
wait_before = Wait before a start
free_meanwhile = Free meanwhile
in_whole_week = { $hours } GPU-h in the whole week
quality = Data quality
definitions = Definitions and settings
weeks_are = weeks are ISO weeks in { $zone }; figures as of { $at }
closing_of_week = , closing { $version } of the week
terms = ; terms { $version }

## Mail

subject = { $title }: { $wasted } GPU-h wasted ({ $share })
had_waited = ; jobs that began had waited { $span } in the median
costs_most = Idle time that costs most
held_gpu_h = Held GPU-h
wasted_gpu_h = Wasted GPU-h
small_teams = { $number } small teams
attached = The whole report with its charts and definitions is attached.
pseudonyms = { " " }Persons and allocations go by pseudonyms of this report.
running_figures = { " " }The running figures: { $page }
coverage = coverage { $share }
idle_of_team = { $team } on { $model }: { $hours } GPU-h idle ({ $share }) = { $amount }

## Charts

bar_part = { $state } { $hours } GPU-hours ({ $share })
chart_week = week
chart_seen = seen
chart_policies = policies
chart_said = { $week }: { $wasted } wasted, { $seen } seen
chart_title = Share wasted by week. { $said }
state_active = active
state_low = low
state_startup = start-up
state_pause = idle, short pauses
state_too_long = idle too long
state_unknown = unseen
state_reserved = reserved
state_drained = drained
state_down = down
state_stranded = stranded
state_unallocated = free

## Classes

class_interactive = interactive
class_training = training
class_inference = inference
class_deferred = deferred
class_other = other

## Data quality

unseen = Unseen: { $unseen } of { $held } held GPU-h ({ $share }).
joined = Seen idle in stretches that unseen minutes cut too short: { $hours } GPU-h; in the high end, beside the unseen, and in no other figure.
without_price = Without a price: { $hours } GPU-h of { $models }; in no sum of money.
one_witness = Idle by one witness only, not counted as wasted: { $hours } GPU-h.
engine_only = Engine busy without any work, inside low: { $hours } GPU-h.
books_begin = The books begin on { $at }.
identity_holds = Identity: all states add up to { $states } GPU-h, the calendar has { $calendar }; difference { $difference }.
finding = { $subject }: { $finding } ({ $hours } GPU-h).
more_findings = { $number } more contradictions of this kind.
look = { $whose }; { $look }.
look_of = { $allocation }: { $text }
more_looks = { $number } more; { $look }.
look_suspect = it looks as if it only kept its GPU
look_hung = it hung for an hour or more
look_split = it looks like idleness in small pieces
not_reconciled = Not reconciled with { $source }: { $problem }.
reconciled = Reconciled with the books of { $source }: { $ours } GPU-h here, { $theirs } there{ $difference }.
difference_of = , a difference of { $percent } %
restated = { $week } was restated{ $why } (version { $version }): { $moved }.
restated_terms = { " " }under new prices or thresholds
money_only = money only
moved = { $what } { $hours }
moved_calendar = calendar
moved_active = active
moved_low = low
moved_engine_only = engine only
moved_idle = idle
moved_startup = startup
moved_unknown = unknown
moved_down = down
moved_drained = drained
moved_reserved = reserved
moved_unallocated = unallocated
moved_stranded = stranded
moved_wasted = wasted
moved_partial = partial
moved_one_witness = one witness
moved_high = high
moved_joined = joined
moved_avoidable = avoidable
moved_reclaimed = reclaimed
moved_given_back = given back
moved_reused = reused
moved_cash = cash
moved_idle_while_waiting = idle while waiting
moved_unpriced = unpriced

## Definitions

or = { $one } or { $last }
waits = { $span } ({ $purpose })
means_wasted = wasted: idle in unbroken stretches of at least { $waits }; shorter idle is pause
means_range = range: its high end takes what was unseen for idle, so that idle stretches which unseen minutes cut too short join and count; unseen is never idle below that
means_low = low: some work, too little to count as active; it is never waste
means_reclaimed = reclaimed: from release to the run's own limit, at most 24 h
means_reused = re-used: work of other owners on those GPUs while no other was free
means_cash = cash: only on nodes paid by the hour, after they ended; what is owned saves no cash
means_settings = rate card { $rates }; policies { $policies }
no_rates = none: every hour is unpriced
fast_pace = PACE NOT NORMAL: a minute of the grid lasts { $step }, start-up { $startup }; these are no real figures

## As plain text

t_title = GPU-hours and money of { $cluster }, { $week }
t_span = a span
t_zone = zone { $zone }
t_wasted = Wasted { $wasted } of { $held } held GPU-h ({ $share })
t_nothing_seen = Nothing was seen of { $held } held GPU-h; wasted is not known
t_headline = { $wasted } = { $worth }, coverage { $share }
t_avoidable = Avoidable under the policies: { $hours } GPU-h = { $amount }
t_idle_waiting = Idle while jobs waited: { $hours } GPU-h
t_reclaimed = Reclaimed at most { $returned } GPU-h = { $worth }, re-used at least { $reused } GPU-h = { $reused_worth }, cash { $cash }
t_given_back = Given back by owners themselves: { $hours } GPU-h
t_nothing_back = Nothing was released, nothing given back
t_where = Where every GPU-hour went
t_state = state
t_gpu_h = GPU-h
t_share = share
t_equal = sum { $states } = calendar { $calendar }, difference { $difference }
t_by_owner = By owner
t_by_team = By team
t_by_purpose = By class
t_by_model = By model
t_held = held
t_active = active
t_low = low
t_idle = idle
t_unknown = unknown
t_wasted_column = wasted
t_of_held = of held
t_costs = costs
t_seen = seen
t_allocation = allocation
t_owner = owner
t_class = class
t_gpus = GPUs
t_longest = longest h
t_ended = ended
t_runs = runs
t_happened = What happened
t_of = { " " }of { $owner }
t_quality = Data quality
t_definitions = Definitions
t_unseen = unseen { $unseen } of { $held } held GPU-h
t_joined = seen idle in stretches that unseen minutes cut too short, in the high end alone: { $hours } GPU-h
t_without_price = without a price { $hours } GPU-h: { $models }
t_one_witness = idle by one witness only, not counted as wasted: { $hours } GPU-h
t_engine_only = engine busy without any work, inside low: { $hours } GPU-h
t_books_begin = the books begin on { $at }
t_finding = { $subject }: { $finding } ({ $hours } GPU-h)
t_state_active = active
t_state_low = low
t_state_idle = idle
t_state_startup = startup
t_state_unknown = unknown
t_state_down = down
t_state_drained = drained
t_state_reserved = reserved
t_state_unallocated = unallocated
t_state_stranded = stranded

## What depends on a number

cases = { $count ->
    [one] { $count } case
   *[other] { $count } cases
 }
findings = { $count ->
    [one] { $count } finding
   *[other] { $count } findings
 }
gpus = { $count ->
    [one] { $count } GPU
   *[other] { $count } GPUs
 }

## Words of ours that are looked up by what they are in English: kinds of events, how cases went

word_warning = warning
word_final_warning = final warning
word_final = final
word_advice = advice
word_keep = keep
word_dispute = dispute
word_verified = verified
word_reverted = reverted
word_given_back = given back
word_ended_by_its_owner = ended by its owner
word_would_release = would release
word_release_intended = release intended
word_case_closed = case closed
word_saved = saved
word_not_saved = not saved
word_paused = paused
word_resumed = resumed
word_approved = approved
word_upheld = upheld
word_released = released
word_ended_by_itself = ended by itself
word_activity_returned = activity returned
word_its_person_came_back = its person came back
word_policy_changed = policy changed
word_open = open
word_planned = planned
word_acting = acting
word_verifying = verifying
word_closed = closed
