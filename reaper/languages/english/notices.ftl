# What owners and operators are told: short, calm, no blame.
# "would be" wherever the policy does not act, so that no one fears what will not happen.
#
# Of every story: $allocation, $name and $titled (yes, no), $devices, $model, $nodes (the first three),
# $more (nodes beyond them) and $placed (nowhere, some, many), $since (an instant) and $idle_seconds,
# $mode (acts, would), $reader (self; absent where they answer for $person, who has left).

gpus = { $devices ->
    [1] GPU
   *[other] { $devices } GPUs
 }
whose = { $reader ->
    [absent] { gpus } of { $person }
   *[self] Your { gpus }
 }
whose-inside = { $reader ->
    [absent] { gpus } of { $person }
   *[self] your { gpus }
 }
named = { $titled ->
    [yes] { $allocation } “{ $name }”
   *[no] { $allocation }
 }
holding = { $placed ->
    [many] { $devices } × { $model } on { $nodes } and { $more ->
        [one] { $more } more node
       *[other] { $more } more nodes
     }
    [some] { $devices } × { $model } on { $nodes }
   *[nowhere] { $devices } × { $model }
 }

## Each kind

warning-title = { whose } { $devices ->
    [1] has
   *[other] have
 } been idle for { SPAN($idle_seconds) }
final-title = Last notice: { whose-inside } { $devices ->
    [1] is
   *[other] are
 } still idle
idle = { named } holds { holding } and has done no GPU work since { $since }.
released-title = { whose } { $mode ->
    [would] would have been
   *[acts] { $devices ->
        [1] was
       *[other] were
     }
 } released
released-title-asked = { released-title } as you asked
released = { named } had done no GPU work since { $since }, for { SPAN($idle_seconds) }.
released-asked = { named } no longer holds { holding }.
reverted-title = { $allocation } came back after its release
reverted = { named } was released and has been started again by something else.
failed-title = { $allocation } could not be released
failed = { named } still holds { holding }.
operator-title = Please look at { $allocation }
operator = { named } of { $owned ->
    [yes] { $user }
   *[no] an unknown owner
 } needs an operator.

## Figures

seen-label = Seen
costs-label = Costs
costs = { $amount } an hour
policy-label = Policy
outcome-label = Outcome
holds-label = Holds
since-label = Idle since
since = { $since }
since-for = { $since } ({ SPAN($idle_seconds) })

## What happens next

again = It goes back into the queue and starts again from its beginning.
keep-by = To keep it: { $command }
back-by = To start it again: { $command }
was-not-ended = This policy does not act yet: nothing was ended.
is-this-wrong = Was this wrong? Please say so: the figures are kept, and an operator will look.
until-seen = Nothing more is done to it until an operator has looked at it.
until-all-seen = Nothing more is done to them until an operator has looked.
yourself = You asked for its release: you can end it yourself, or ask again later.
last-notice-first = Nothing is released yet: if it stays idle, a last notice comes first.
for-information = Nothing will be released: this is for your information.
release-at = { $mode ->
    [would] If it stayed idle, it would be released, at the earliest { $at }.
   *[acts] If it stays idle, it will be released, at the earliest { $at }.
 }
will-not-be-ended = This policy does not act yet: nothing will be ended.
saving = { $mode ->
    [would] Before that it would be asked to save its work.
   *[acts] Before that it is asked to save its work.
 }
no-saving = It cannot be saved for you: please save what you need.
# $hook (own, none): whether it has a hook that runs first; $seconds until it is ended anyway.
parting = { $hook ->
    [own] When it is released its own stop hook runs, then its programs are asked to end: together they
   *[none] When it is released its programs are asked to end: they
 } have { SPAN($seconds) } for that.
condition-demand = It is released only while a job waits for its GPUs.
condition-demand-workload = It is released only while a workload waits for its GPUs.
condition-presence = Whether its person is away cannot be told now: it is left alone for longer.
condition-host = What its host does is not measured: it is left alone for longer.
condition-observed = This policy is still being watched: it releases nothing yet.
condition-save = It cannot be saved for you, and without a save it is not released.
condition-paused = An operator has paused every release.
answer-by-work = Working with it again is answer enough: that ends the notice.
keeps-used-up = Its keeps are used up.
keeps-left = Still needed? Say so, and it is left alone for that time ({ $keeps ->
    [one] { $keeps } keep
   *[other] { $keeps } keeps
 } left today).
twice = You may get this twice: it is not known whether it arrived the first time.
late = This comes late, for it could not be told before: all that it says is of now.
absent = { $person } has left, and you are named as who answers for them.

## Several at once

warning-several = { $count } allocations are idle
final-several = Last notice: { $count } allocations are still idle
released-several = { $count } allocations were released
reverted-several = { $count } allocations came back after their release
failed-several = { $count } allocations could not be released
operator-several = Please look at { $count } allocations
together = Together they { $kind ->
    [released] held
   *[other] hold
 } { $devices } GPUs.
each-answers = Each is answered for itself. Working with one again ends the notice for it.
is-one-wrong = Was one of these wrong? Please say so on its page, and an operator will look.
saving-each = { $mode ->
    [would] Before that each would be asked to save its work.
   *[acts] Before that each is asked to save its work.
 }
no-saving-each = { $which ->
    [all] They
   *[some] { $lost }
 } cannot be saved for you: please save what you need.
line = { holding }; idle for { SPAN($idle_seconds) }
line-outcome = { line }; { $outcome }
line-release = { line }; { $mode ->
    [would] if it stayed idle, would be
   *[acts] if it stays idle, will be
 } released { $at } or later

## Advice on sizes

advice-title = Advice: { $spare } of { $reader ->
    [absent] the GPUs of { $person }
   *[self] your GPUs
 } could go
advice-title-work = Advice: { $reader ->
    [absent] the GPUs of { $person }
   *[self] your GPUs
 } could do more
advice-where = { $allocations ->
    [one] { $allocations } allocation
   *[other] { $allocations } allocations
 }
advice-work = { advice-where } could get more done with what is held.
advice-hours = In { advice-where }: { $spare } GPUs × 24 h = { $hours } GPU-hours a day.
advice-money = In { advice-where }: { $spare } GPUs × 24 h = { $hours } GPU-hours a day, { $amount }.
advice-seen = Seen { $at }.
advice-line-hours = { $finding }. { $spare } × 24 h = { $hours } GPU-hours a day
advice-line-money = { $finding }. { $spare } × 24 h × { $price } = { $amount } a day
advice-more = And { $count ->
    [one] { $count } smaller finding
   *[other] { $count } smaller findings
 }.
advice-calm = This is advice: nothing is released for it, and it needs no answer.

## Answers

answer-keep = Keep for { SPAN($seconds) }
answer-until-morning = Keep until the next working morning
answer-release = Release now
answer-dispute = This is wrong
confirm-release = Release { named } now? It ends, and what is not saved is lost.
confirm-dispute = Say that this is wrong? Nothing more is done to { named } until an operator has looked at it.
links = Each link opens a page that asks first. Please do not pass them on: they answer in your name.
why = Why?
back = Go back

## What has become of it

operator-unnamed = an operator
fate-kept = Kept until { $until }, by { $by }.
fate-disputed = Disputed: nothing happens to it until an operator has looked.
fate-asked = { $by } asked for its release, which is under way.
fate-returned = It is in use again: this notice is over.
fate-released = It was released.
fate-given-back = It was released, as { $by } asked. Thank you.
fate-replaced = A newer message tells how it stands.
fate-passed = This notice is over: nothing more follows from it.

## What a click is answered with, to its person alone

reply-kept = Kept until { $until }.
reply-late = Its release had begun: it is taken back where that can still be done.
reply-released = Thank you. It is being released.
reply-disputed = Noted. Nothing happens to it until an operator has looked.
reply-refused = Nothing was changed: { $refusal }
reply-used = This message was answered already: an answer counts once.
reply-stranger = This message was written to somebody else, and only they may answer it.
reply-altered = This button no longer works: its message is too old. The newest message has its own.
reply-unsure = Slack could not be asked who you are, so nothing was changed. Please try again.
reply-broken = Something went wrong here, and nothing was changed. Please try again in a minute.
