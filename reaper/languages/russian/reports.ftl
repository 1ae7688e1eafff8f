# Что говорят отчёты: спокойные показания, без упрёков.  GPU не склоняется.  Имена — те же, что в шаблонах.

## Рассказ

wasted_of = Впустую прошло { $wasted } из { $held } занятых GPU-часов ({ $share })
nothing_seen_of = Из { $held } занятых GPU-часов ничего не было видно: сколько прошло впустую, неизвестно
at_least = не меньше { $amount }
no_price_known = без цены
of_idle_capacity = { $amount } за простаивающие мощности
no_earlier = Более ранних недель для сравнения нет.
share_wasted = Доля прошедшего впустую: { $compared }.
and = { $one }, и { $other }
than_before = { $points } неделей раньше ({ $share })
than_mean = { $points } в среднем за последние { $weeks } нед. ({ $share })
as_high = столько же, сколько
above = на { $points } п. п. больше, чем
below = на { $points } п. п. меньше, чем
returned = Освобождения вернули не больше { $returned } GPU-часов ({ $worth }); другие использовали из них не меньше { $reused } ({ $reused_worth }); деньгами сбережено { $cash }.
gave_back = Владельцы сами вернули { $hours } GPU-часов.
nothing_back = Ничего не освобождено и не возвращено.
first_ends = ближайшее кончается { $at }
endless = без срока: { $number }
seen_of_held = занятого времени было видно.
seen_share = Было видно { $share } занятого времени.

## Рамка

title = Отчёт о GPU { $cluster }
title_team = , команда { $team }
title_week = , неделя { $week }
none = нет
nothing_listed = Таких нет.
week = Неделя { $week }
week_of = неделя { $week }
so_far = (ещё идёт)
a_span = Отрезок времени
from_to = { $begin } — { $end }
closing = закрытие { $version },
as_of = данные на { $at }
gpu_h = { $hours } GPU-ч
gpu_hours = GPU-часов
unpriced = нет цены
now = сейчас
policies_without = без { $policies }

## Плитки

wasted = Впустую
avoidable = Можно было избежать по политикам
reclaimed_most = Возвращено, не больше
reused_least = Использовано снова, не меньше
cash = Деньгами
cash_hours = { $hours } GPU-ч на отключённых узлах
idle_waiting = Простой, пока задания ждали
asked_for = в очереди просили { $hours } GPU-ч

## Первый лист

where = На что ушёл каждый GPU-час
where_adds = вместе состояния полосы дают весь календарь
where_team = На что ушли GPU-часы команды
held_too = , занято { $hours }
no_hour = В книгах нет ни одного GPU-часа.
by_week = Доля занятого времени, прошедшая впустую
by_week_text = по неделям; тонкая линия — верхний край диапазона
by_class = Впустую по назначению
by_class_text = в работающих заданиях: только на части их GPU
class = Назначение
money = Деньги
in_jobs_at_work = { $hours } в работающих заданиях
nobody_held = GPU никто не занимал.
by_team = По командам и моделям
by_team_text = сначала самый дорогой простой, GPU-часы; команды, занимавшие меньше { $least } GPU-ч, вместе
more_lines = Ещё строк в приложении: { $number }.
proposals = Предложения
proposals_text = по данным этой недели
would_return = : не меньше { $hours } GPU-ч
worth = { " " }= { $amount }
a_week = { " " }в неделю
no_proposal = На этой неделе ничего не стоит менять.
team = Команда
model = Модель
held = Занято
idle = Простой
of_held = от занятого
cost_of_idle = Цена простоя
idle_change = Простой, разница
seen = Видно
smaller_teams = небольших команд: { $number }
no_team = без команды
all_models = все модели
unknown = неизвестно
unknown_model = модель неизвестна
all_gpus = Все GPU
mark_too_little = видно слишком мало, чтобы сравнивать
mark_in_part = видно не всё

## Приложение

annex = Приложение
veiled = люди и задания названы псевдонимами этого отчёта
named = только для тех, кому оно адресовано
identity = Сводка состояний, GPU-часы
state = Состояние
sum_of_states = сумма всех состояний
calendar = календарь (GPU × время)
weeks = По неделям
a_week_column = Неделя
reclaimed = Возвращено
reused = Использовано снова
quarter = квартал на сегодня
top = Задания, у которых больше всего прошло или могло пройти впустую
allocation = Задание
owner = Владелец
what = Что
longest = Дольше всего
warned_outcome = Предупреждён, итог
no_case = случая не было
every_team = Все команды и модели
actions = Действия и возражения
owners_warned = Предупреждали владельцев
kept = Оставлено владельцем
back_at_work = Снова в работе
given_back = Возвращено владельцем
released = Освобождено
released_text = { $released }, запущено снова { $reverted }, не удалось { $failed }
would_release = Было бы освобождено
idle_before = Простой до решения
in_median = { $span } (медиана)
disputed = Возражений
of_warned = , это { $share } предупреждённых
found_right = ; признано верными: { $number }
to_look_at = Требует внимания
to_look_text = только удержание, зависание или простой урывками
exemptions = Действующих исключений
demand = Спрос рядом с простоем
asked_by_waiting = Просили ждущие задания
something_waited = Кто-то ждал
of_the_time = { $share } времени
most_at_once = Больше всего сразу
wait_before = Ожидание до начала
free_meanwhile = Свободно за это время
in_whole_week = { $hours } GPU-ч за всю неделю
quality = Качество данных
definitions = Определения и настройки
weeks_are = недели — по ISO в зоне { $zone }; данные на { $at }
closing_of_week = , закрытие недели { $version }
terms = ; условия { $version }

## Почта

subject = { $title }: впустую { $wasted } GPU-ч ({ $share })
had_waited = ; начавшиеся задания ждали { $span } (медиана)
costs_most = Самый дорогой простой
held_gpu_h = Занято, GPU-ч
wasted_gpu_h = Впустую, GPU-ч
small_teams = небольших команд: { $number }
attached = Полный отчёт с диаграммами и определениями приложен.
pseudonyms = { " " }Люди и задания названы псевдонимами этого отчёта.
running_figures = { " " }Текущие данные: { $page }
coverage = видно { $share }
idle_of_team = { $team }, { $model }: простой { $hours } GPU-ч ({ $share }) = { $amount }

## Графики

bar_part = { $state } { $hours } GPU-часов ({ $share })
chart_week = неделя
chart_seen = видно
chart_policies = политики
chart_said = { $week }: впустую { $wasted }, видно { $seen }
chart_title = Доля прошедшего впустую по неделям. { $said }
state_active = работа
state_low = слабая загрузка
state_startup = запуск
state_pause = короткие паузы
state_too_long = слишком долгий простой
state_unknown = не видно
state_reserved = зарезервировано
state_drained = выведено
state_down = не работает
state_stranded = не нарезано
state_unallocated = свободно

## Назначения

class_interactive = интерактивное
class_training = обучение
class_inference = инференс
class_deferred = отложенное
class_other = прочее

## Качество данных

unseen = Не было видно { $unseen } из { $held } занятых GPU-ч ({ $share }).
joined = Простой в отрезках, которые слишком укоротили невидимые минуты: { $hours } GPU-ч; входит в верхний край рядом с невидимым и больше никуда.
without_price = Без цены: { $hours } GPU-ч, { $models }; ни в одну сумму не входят.
one_witness = Простой по одному свидетелю, впустую не засчитан: { $hours } GPU-ч.
engine_only = Движок занят без всякой работы, внутри слабой загрузки: { $hours } GPU-ч.
books_begin = Книги начинаются { $at }.
identity_holds = Сводка: все состояния вместе дают { $states } GPU-ч, календарь — { $calendar }; разница { $difference }.
finding = { $subject }: { $finding } ({ $hours } GPU-ч).
more_findings = Ещё таких противоречий: { $number }.
look = { $whose }; { $look }.
look_of = { $allocation }: { $text }
more_looks = ещё { $number }; { $look }.
look_suspect = похоже, что GPU только удерживали
look_hung = зависло на час или дольше
look_split = похоже на простой урывками
not_reconciled = Не сверено с { $source }: { $problem }.
reconciled = Сверено с книгами { $source }: здесь { $ours } GPU-ч, там { $theirs }{ $difference }.
difference_of = , разница { $percent } %
restated = { $week } пересчитана{ $why } (версия { $version }): { $moved }.
restated_terms = { " " }по новым ценам или порогам
money_only = только деньги
moved = { $what } { $hours }
moved_calendar = календарь
moved_active = работа
moved_low = слабая загрузка
moved_engine_only = движок без работы
moved_idle = простой
moved_startup = запуск
moved_unknown = не видно
moved_down = не работает
moved_drained = выведено
moved_reserved = зарезервировано
moved_unallocated = свободно
moved_stranded = не нарезано
moved_wasted = впустую
moved_partial = простой в работающих заданиях
moved_one_witness = простой по одному свидетелю
moved_high = верхний край
moved_joined = соединённые отрезки
moved_avoidable = можно было избежать
moved_reclaimed = возвращено
moved_given_back = возвращено владельцами
moved_reused = использовано снова
moved_cash = деньгами
moved_idle_while_waiting = простой, пока ждали
moved_unpriced = без цены

## Определения

or = { $one } или { $last }
waits = { $span } ({ $purpose })
means_wasted = впустую: непрерывный простой не короче { $waits }; более короткий — пауза
means_range = диапазон: его верхний край принимает невидимое за простой, так что отрезки, которые слишком укоротили невидимые минуты, соединяются и засчитываются; ниже этого края невидимое никогда не простой
means_low = слабая загрузка: какая-то работа, слишком малая для активной; впустую не засчитывается
means_reclaimed = возвращено: от освобождения до собственного лимита задания, не больше 24 ч
means_reused = использовано снова: работа других владельцев на этих GPU, пока других свободных не было
means_cash = деньгами: только на узлах с почасовой оплатой, после их отключения; собственные деньгами не сберегают
means_settings = прейскурант { $rates }; политики { $policies }
no_rates = нет: все часы без цены
fast_pace = ТЕМП НЕОБЫЧНЫЙ: минута сетки длится { $step }, запуск { $startup }; это не настоящие данные

## Простым текстом

t_title = GPU-часы и деньги { $cluster }, { $week }
t_span = отрезок времени
t_zone = зона { $zone }
t_wasted = Впустую { $wasted } из { $held } занятых GPU-ч ({ $share })
t_nothing_seen = Из { $held } занятых GPU-ч ничего не было видно; сколько впустую, неизвестно
t_headline = { $wasted } = { $worth }, видно { $share }
t_avoidable = Можно было избежать по политикам: { $hours } GPU-ч = { $amount }
t_idle_waiting = Простой, пока задания ждали: { $hours } GPU-ч
t_reclaimed = Возвращено не больше { $returned } GPU-ч = { $worth }, использовано снова не меньше { $reused } GPU-ч = { $reused_worth }, деньгами { $cash }
t_given_back = Владельцы вернули сами: { $hours } GPU-ч
t_nothing_back = Ничего не освобождено и не возвращено
t_where = На что ушёл каждый GPU-час
t_state = состояние
t_gpu_h = GPU-ч
t_share = доля
t_equal = сумма { $states } = календарь { $calendar }, разница { $difference }
t_by_owner = По владельцам
t_by_team = По командам
t_by_purpose = По назначению
t_by_model = По моделям
t_held = занято
t_active = работа
t_low = слабо
t_idle = простой
t_unknown = не видно
t_wasted_column = впустую
t_of_held = от занятого
t_costs = деньги
t_seen = видно
t_allocation = задание
t_owner = владелец
t_class = назначение
t_gpus = GPU
t_longest = дольше всего, ч
t_ended = конец
t_runs = идёт
t_happened = Что произошло
t_of = { " " }({ $owner })
t_quality = Качество данных
t_definitions = Определения
t_unseen = не было видно { $unseen } из { $held } занятых GPU-ч
t_joined = простой в отрезках, которые слишком укоротили невидимые минуты, только в верхнем крае: { $hours } GPU-ч
t_without_price = без цены { $hours } GPU-ч: { $models }
t_one_witness = простой по одному свидетелю, впустую не засчитан: { $hours } GPU-ч
t_engine_only = движок занят без всякой работы, внутри слабой загрузки: { $hours } GPU-ч
t_books_begin = книги начинаются { $at }
t_finding = { $subject }: { $finding } ({ $hours } GPU-ч)
t_state_active = работа
t_state_low = слабая загрузка
t_state_idle = простой
t_state_startup = запуск
t_state_unknown = не видно
t_state_down = не работает
t_state_drained = выведено
t_state_reserved = зарезервировано
t_state_unallocated = свободно
t_state_stranded = не нарезано

## То, что зависит от числа

cases = { $count ->
    [one] { $count } случай
    [few] { $count } случая
   *[many] { $count } случаев
 }
findings = { $count ->
    [one] { $count } находка
    [few] { $count } находки
   *[many] { $count } находок
 }
gpus = { $count } GPU

## Слова, которые ищутся по английским: виды событий, чем кончилось

word_warning = предупреждение
word_final_warning = последнее предупреждение
word_final = последнее предупреждение
word_advice = совет
word_keep = оставлено
word_dispute = возражение
word_verified = освобождено
word_reverted = запущено снова
word_given_back = возвращено владельцем
word_ended_by_its_owner = завершено владельцем
word_would_release = было бы освобождено
word_release_intended = освобождение решено
word_case_closed = случай закрыт
word_saved = сохранено
word_not_saved = сохранение не удалось
word_paused = остановлено
word_resumed = остановка отменена
word_approved = одобрено
word_upheld = признано ошибкой
word_released = освобождено
word_ended_by_itself = завершилось само
word_activity_returned = снова в работе
word_its_person_came_back = владелец вернулся
word_policy_changed = политика изменилась
word_open = открыт
word_planned = намечено
word_acting = выполняется
word_verifying = проверяется
word_closed = закрыт
