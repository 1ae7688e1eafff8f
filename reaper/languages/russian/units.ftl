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

weekdays = пн вт ср чт пт сб вс
months = января февраля марта апреля мая июня июля августа сентября октября ноября декабря
moment = { $weekday } { $day } { $month }, { $hour } { $zone }

decimal-mark = ,
