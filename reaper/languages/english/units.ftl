# Spans, days, months and numbers, as every theme says them.

seconds = { $count ->
    [one] { $count } second
   *[other] { $count } seconds
 }
minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
 }
hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
 }
days = { $count ->
    [one] { $count } day
   *[other] { $count } days
 }
hours-minutes = { $hours } h { $minutes } min
days-hours = { days } { $hours } h
short-seconds = { $count } s
short-minutes = { $count } min
short-hours = { $hours } h { $minutes } min

# How spans are written on pages: brief by the symbols, or full as in sentences.
spans = brief
symbols = s min h d

ago = { $span } ago
ahead = { $span } ahead of the clock
never = never
in = in { $span }
now = now

weekdays = Mon Tue Wed Thu Fri Sat Sun
months = Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
moment = { $weekday } { $day } { $month } { $hour } { $zone }

# A day that is further away, as a format of dates.
date = %Y-%m-%d

decimal-mark = .
