# Отрезки времени, дни, месяцы и числа: одни для всех тем.

seconds = { $count ->
    [one] { $count } секунду
    [few] { $count } секунды
   *[many] { $count } секунд
 }
minutes = { $count ->
    [one] { $count } минуту
    [few] { $count } минуты
   *[many] { $count } минут
 }
hours = { $count ->
    [one] { $count } час
    [few] { $count } часа
   *[many] { $count } часов
 }
days = { $count ->
    [one] { $count } день
    [few] { $count } дня
   *[many] { $count } дней
 }
hours-minutes = { $hours } ч { $minutes } мин
days-hours = { days } { $hours } ч
short-seconds = { $count } с
short-minutes = { $count } мин
short-hours = { $hours } ч { $minutes } мин

# Как отрезки пишутся на страницах: кратко знаками (brief) или полностью, как во фразах (full).
spans = full
symbols = с мин ч дн.

ago = { $span } назад
ahead = впереди часов: { $span }
never = ещё не было
in = через { $span }
now = сейчас

weekdays = пн вт ср чт пт сб вс
months = января февраля марта апреля мая июня июля августа сентября октября ноября декабря
moment = { $weekday } { $day } { $month }, { $hour } { $zone }

# День, который дальше недели: формат даты.
date = %d.%m.%Y

decimal-mark = ,
