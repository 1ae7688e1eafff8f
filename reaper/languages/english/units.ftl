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

weekdays = Mon Tue Wed Thu Fri Sat Sun
months = Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
moment = { $weekday } { $day } { $month } { $hour } { $zone }

decimal-mark = .
