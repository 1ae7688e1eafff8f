# Что говорят страницы.  Имена — те же, что в шаблонах.
# GPU не склоняется.  «было бы» там, где политика не действует.  [1] — ровно один.

## Рамка всех страниц

lost = gpu-reaper не отвечает
lost_text = Показано то, что он сообщил последним.
skip = Перейти к содержанию
picture_from = данные на
last_cycled = последний цикл
rooms = Страницы
cluster = Кластер
my_allocations = Мои задания
queue = Очередь
audit = Журнал изменений
report = Отчёт за неделю
sign_out = Выйти
sign_in = Войти
back = Назад
to_start = На первую страницу
week = Неделя
so_far = (ещё идёт)
show = Показать
take_away = Скачать как
read_first = Прочтите сначала
done = Готово
metrics = метрики
changes_nothing = эта страница ничего не меняет; для этого есть
does = { "" }

## Ответы

for_how_long = На сколько
keep = Оставить
for = на
until_morning = Оставить до утра следующего рабочего дня
next_keep = следующее: { $at }
once_used = новые появятся, когда им снова воспользуются
give_back = Освободить …
wrong = Это ошибка …
can_answer = Что можно ответить о { $allocation }
what_is_wrong = В чём ошибка
why = Причина
may_stay_empty = (можно не заполнять)
question_keep = На выбранное время всё останется за вами; до тех пор не будет ни предупреждений, ни освобождения.
question_until_morning = Всё останется за вами до десяти часов утра вашего следующего рабочего дня.
question_release = Задание завершится в течение нескольких минут, как если бы вы завершили его сами: несохранённое пропадёт, а GPU получат те, кто их ждёт.
question_dispute = С заданием больше ничего не произойдёт, пока не проверит оператор.
question_past = Оператор проверит, что было сделано; до тех пор это считается ложной тревогой.
at_work = Сейчас оно работает.
confirm = Я знаю, что задание работает, и хочу его завершить.
title_keep = Оставить?
title_until_morning = Оставить до утра следующего рабочего дня?
title_release = Освободить сейчас?
title_dispute = Это ошибка?
send_keep = Оставить
send_until_morning = Оставить до утра
send_release = Освободить
send_dispute = Сообщить об ошибке
thank_you = Спасибо
what_becomes = Как поступить с заданием?
used_link = Эта ссылка уже использована, а действует она один раз. В более новом сообщении есть новая.
nothing_to_ask = Сейчас отвечать не на что.
others = Другие ответы
answer_as = Вы отвечаете как { $user }. По этой ссылке можно дать один ответ, до { $until }.
leave = Ничего не менять
cannot_now = Сейчас об этом попросить нельзя.
look = Посмотреть задание

## Мои задания

nothing = Сейчас
held_by_you = вы не занимаете GPU.
unclear = сейчас ничего не известно.
tracks_show = Дорожки показывают, что было за { $span }; новое справа.
nothing_happens = Ничего не произойдёт
kept_until = Оставлено до { $at }
on = на
since = с { $at }
ends_itself = завершится само: { $at }
none_yet = Когда вы займёте GPU, здесь будет видно, чем они заняты и что произойдёт дальше.
lists_all = показывает все.
lately = Недавнее
lately_text = ваши случаи, закрытые за последние семь дней
allocation = Задание
how = Итог
when = Когда
closed = закрыто
disputed = оспорено
letters = Что означают буквы дорожки
lasts = { $verdict } { $span }
spoken = { $letter }: { $span }
has_ended = завершено
went = Итог:
ended = Завершено
burning = , это стоит
an_hour = в час
nobody_known = Неизвестный владелец
held = — было занято
held_for = (продолжительность: { $span })
nothing_recorded = записей нет

## Что будет дальше

at = намечено на { $at }
then = затем { $step }
then_nothing = ничего
no_policy = Ничего не произойдёт
no_policy_text = ни одна политика к нему не относится
in_part = Ничего не произойдёт
in_part_text = простаивают не все его GPU
not_yet = Пока ничего
not_yet_text = предупреждать ещё рано
no_more = Больше ничего не произойдёт
no_more_text = других шагов у политики нет
step_held = { $step }: приостановлено
step_overdue = { $step }: срок прошёл
plain_unknown = Что делают его GPU, сейчас не видно, поэтому с ним ничего не происходит.
plain_busy = Его GPU заняты, поэтому с ним ничего не происходит.
plain_left = Его GPU почти не работают, но что-то там идёт, поэтому его не трогают.
plain_idle = Его GPU никто не использует с { $at }.
plain_kept = По просьбе его не трогают до { $at }.
plain_watched = Здесь за это ничего не завершают: только отмечают или сообщают владельцу.
plain_first = Если так продолжится, владельца сначала предупредят и дадут время ответить.
plain_under_way = Решение по нему уже выполняется.
plain_held = Пока оно продолжается: что мешает его завершить, сказано ниже.
plain_released = Если так продолжится, оно завершится не раньше { $at }; работа с ним или просьба его оставить это предотвратит.
released_from = освобождение не раньше { $at }
would_be_released_from = освобождение было бы не раньше { $at }
meant_warning = Предупреждение
meant_final_warning = Последнее предупреждение
meant_release = Освобождение
meant_save = Сохранение
would_warning = Было бы предупреждение
would_final_warning = Было бы последнее предупреждение
would_release = Было бы освобождение
would_save = Было бы сохранение
stale = Данные устарели: последние получены { $span } назад
stale_ahead = Данные из будущего, до него { $span }: часы перевели назад
stale_text = Циклов не было с { $at }: всё показанное ниже может быть уже не так.
as_of = , на { $at }
stop_until = до { $at }
stop_lifted = до отмены
stop_for = { " " }({ $scope })
stop_text = Действует с { $since } ({ $by }); ничего не освобождается{ $scope } { $until }.
fast = Темп не такой, как в кластере
fast_clock = Часы ускорены: ×{ $rate }
usual_clock = Часы идут как обычно
fast_step = шаг сетки { $seconds } с

## Вердикты

verdict_busy = работает
verdict_starved = ждёт данных
verdict_partial = работает частично
verdict_idle = простаивает
verdict_empty = пустует
verdict_idle_host_busy = простаивает при занятом процессоре
verdict_stalled = не продвигается
verdict_suspect = похоже на холостую работу
verdict_warm = наготове
verdict_unknown = неизвестно

## Буквы дорожки

letter_A = активно
letter_L = слабая загрузка
letter_H = простой, занята память или контекст
letter_E = простой, пусто
letter_X = движок занят без работы
letter_unseen = не видно
letter_contradicted = противоречиво

## Что вышло из просьбы

done_keep = Оставлено до { $until }: { $name }
done_until_morning = Оставлено до { $until }: { $name }
done_release = { $name } будет освобождено в течение нескольких минут, после проверки
done_dispute = Сообщение об ошибке принято ({ $name }); оператор проверит
done_late = . Освобождение уже началось; оно будет отменено, если это ещё возможно
not_done = Не сделано
dead_link = Эта ссылка больше не действует
dead_link_text = Она изменена, устарела или не от этой системы. Откройте свои задания или ответьте командой `gpu-reaper`; в более новом сообщении есть действующая ссылка.
forgotten_link = О том, к чему относится эта ссылка, здесь больше ничего не известно.
title_401 = Вход не выполнен
title_403 = Нет доступа
title_404 = Такого задания нет
title_no_report = Такого отчёта нет
title_no_page = Такой страницы нет
no_page = По этому адресу ничего нет.
error_page = Ответить не удалось:
title_429 = Слишком много попыток
title_503 = Данных ещё нет
title_other = Не получилось
error_stranger = Неизвестно, кто вы: сначала войдите.
error_not_yours = Эта страница открыта не для всех: нужную роль даёт оператор.
error_unknown = Такого задания среди ваших нет; ваши перечислены на странице /mine.
error_forged = Форма устарела, отправлена с другого сайта или относится к другому входу: откройте её страницу заново.
error_too_many = Слишком много неудачных попыток: попробуйте через минуту.
error_no_cycle = Ни одного цикла ещё не было: подождите минуту.
error_used = Ответ уже был дан, а засчитывается он один раз: посмотрите свои задания.
error_unconfirmed = Задание сейчас работает: подтвердите, что его нужно завершить.
error_refused = Просьба не выполнена. Причина:
error_field = Форму не удалось прочитать. Причина:
error_other = Система сообщает:
signed_out = Вы вышли
signed_out_text = Здесь вы вышли; поставщик входа может ещё помнить вас на этой машине.
at_proxy = Вход выполняется на прокси перед этой страницей: откройте её по основному адресу.

## Очередь

calm_queue = Ничто
calm_queue_rest = не ждёт оператора.
disputes = Возражения
disputes_text = случай стоит, пока вы не решите
dispute_of = Возражение: { $allocation }
owner_unknown = владелец неизвестен
about = о задании
policy_named = политика { $policy }
uphold = Согласиться: это была ошибка
reject = Отклонить: продолжать
no_disputes = Возражений нет.
approvals = Одобрения
approvals_text = нужны два оператора, каждый по одному разу
approval_of = Одобрение: { $allocation }
burns = Это стоит { $amount } в час.
approve = Одобрить освобождение
no_approvals = Одобрения ничто не ждёт.
stops = Остановки
stops_text = пока они не отменены, действий там нет
stop_named = Остановка { $stop }
stop_scope = область: { $scope }
stop_since = { $by }, с { $at }
lift = Отменить
no_stops = Ничего не остановлено.
pause = Остановить
every_act = все действия
acts_of = действия политики { $policy }
held_steps = Задержано
held_text = срок наступил, но мешает правило или бюджет
next = Дальше
held_by = Что мешает
none_held = Ничего из того, чему пора, не задержано.
undelivered = Не доставлено
undelivered_text = освобождения за ними не следует
to_whom = Кому
about_what = О чём
all_delivered = Все сообщения доставлены или в пути.
of_nobody = Владелец неизвестен
never_released = не освобождается никогда
account = счёт { $account }
all_owned = У каждого случая есть владелец.
to_look_at = Требует внимания
in_pieces = Простой по частям за последнюю неделю:
no_findings = Ничто не зависло, и ничто не похоже на удержание GPU впустую.

## Журнал изменений

audit_text = О чём и как просили люди; сначала новое.
of_the_last = За последние
with = со словом
find_changes = кто, что, о чём
who = Кто
what = Что
of_what = О чём
their_words = Своими словами
whole_cluster = весь кластер
no_changes = Никто ничего не менял.
no_changes_fit = Изменений, к которым подходит «{ $query }», нет.

## Показания

tracks = Дорожки
tracks_text = буква на каждую единицу времени ({ $step }), строка — { $span }
tracks_ended = последние часы, буква на каждую единицу времени ({ $step })
not_drawn = Какие устройства заняты, неизвестно, поэтому ничего не показано и ничего не делается.
whose = Чьё и по какому правилу
owner = Владелец
gpus_held = Занятые GPU
unknown = неизвестно
runs_since = Работает с
own_limit = собственный лимит завершит его { $at }
purpose = Назначение
because = потому что:
partition = Раздел
person = Человек
not_asked = не спрашивалось: присутствие здесь не важно
host = Узел
requests = Запросы
seen = Видно
seen_text = { $share } последних минут
policy = Политика
no_rule = ни одна не подходит: с ним никогда ничего не делается
case = Случай
kept = Оставлено
kept_till = до { $at }
still_needed = Ещё нужно? Владелец может написать:
signals = Сигналы
signals_text = для действия нужны два свидетеля
witnesses = Свидетели
no_witness = никто не говорит о простое
memory = Память
power = Мощность
read_from = Откуда
no_exporter = ни один экспортёр не отвечает
seen_throughout = видно всё время:
cases = Случаи
happened = Что произошло
by_whom = кто: { $by }
not_yet_recorded = Записей пока нет.
notices = Сообщения
notice = Сообщение
sent_to = кому
fate = судьба
nobody_told = Никому ничего не сообщали.
a_keep = Оставлено
till = до
reason = причина
an_operator = оператор
host_worked = за { $span } работал { $worked }
host_unseen = , не было видно { $span }
requests_text = обработано: { $answered }, выполняется: { $pending }; { $quiet }
requests_none = новых не было { $span }
requests_now = последний — в последнюю минуту
evidence = простой { $span }, { $gpus }
evidence_seen = , видно { $share }
from_to = от { $least } до { $most }
gib = { $amount } ГиБ
mib = { $amount } МиБ
watts = { $amount } Вт
gpu_numbers = GPU { $numbers }

## Заголовок

head_nothing = Ничего
head_now = Сейчас
head_no_cycle = ничего нельзя сказать: циклов не было уже { $span }
head_then = Последнее, что известно: { $said }
head_who_holds = Кто занимает GPU,
head_not_known = неизвестно
head_no_gpu = Ни один занятый GPU
head_none = Ни один GPU
head_is_held = не занят
head_idle = не простаивает
head_seen_idle = из тех, что видны, не простаивает
head_burning = , это стоит { $amount } в час
head_of_either = нельзя сказать ни об одном из 2 занятых GPU
why_unseen = на последнем шаге их не было видно
why_no_platform = не настроена ни одна платформа, которая это знает
why_no_answer = ответа ещё не было
why_answered = последний ответ { $ago }
why_answered_never = ответа ещё не было
why_seen = последние данные { $ago }
why_seen_never = данных ещё не было
why_more = , и ещё { $count }

## Весь кластер

count_of = { $verdict }: { $count }
nothing_known = Ничего не известно
of_owner = (владелец: { $owner })
nothing_due = Ничего не назначено.
wanted = не хватает заданиям в очереди.
wanted_workloads = не хватает ждущим рабочим нагрузкам.
seen_in_step = занятых GPU было видно на последнем шаге.
without_price = без цены.
no_price = нет цены
all_by_state = Все GPU по состоянию
idle_now = Простаивают сейчас
idle_now_text = сначала самые дорогие; дорожки показывают, что было за { $span }, новое справа
none_holds = Ни одно задание не занимает GPU.
none_holds_known = Насколько известно, ни одно задание не занимает GPU.
every_works = Все занятые GPU работают или заняты слишком недавно, чтобы судить.
every_other_works = Все остальные занятые GPU работают или заняты слишком недавно, чтобы судить.
whether_idle = Простаивают ли занятые GPU, неизвестно.
all_allocations = Все задания
find_label = Найти по владельцу, номеру, имени, узлу
find_hint = владелец, номер, имя, узел
find = Найти
verdict = Что с ним
in_partition = в разделе { $partition }
none_matches = Ничего не найдено: «{ $query }».
show_all = Показать все
more_rows = Ещё { $count }: найдите выше по владельцу, номеру, имени или узлу, или командой
sources = Источники
sources_text = кого спрашивали и как давно ответили
source = Источник
says = о чём
answered = ответ
took = за
took_seconds = { $seconds } с
no_source = Ни один источник ещё не спрашивали.
nodes = Узлы
nodes_seen = видно { $nodes } из { $seen }
node = Узел
wrong_how = что не так
last_seen = последние данные
nothing_new = ничего нового от него
and_more_nodes = Остальные показывает
all_nodes_seen = GPU всех узлов видны, и известно, кто их занимает.
no_node = Ни один узел не известен.

## Состояния

state_idle = простаивают: { $count }
state_unknown = неизвестно: { $count }
state_working = работают: { $count }
state_free = свободны: { $count }
state_free_slices = свободные доли: { $count }
state_unusable = непригодны: { $count }

## То, что зависит от числа

decisions = { $count ->
    [one] { $count } решение
    [few] { $count } решения
   *[many] { $count } решений
 }
wait_for_operator = { $count ->
    [one] ждёт оператора.
   *[many] ждут оператора.
 }
count_disputes = возражений: { $count }
count_approvals = одобрений: { $count }
count_held = задержано шагов: { $count }
count_undelivered = не доставлено сообщений: { $count }
count_nobody = случаев без владельца: { $count }
count_look = требует внимания: { $count }
attempts = { $count ->
    [one] { $count } попытка с { $at }
    [few] { $count } попытки с { $at }
   *[many] { $count } попыток с { $at }
 }
changes = { $count ->
    [one] { $count } изменение
    [few] { $count } изменения
   *[many] { $count } изменений
 }
in_days = { $count ->
    [1] сделали люди за последний день.
    [one] сделали люди за последний { $count } день.
    [few] сделали люди за последние { $count } дня.
   *[many] сделали люди за последние { $count } дней.
 }
days = { $count ->
    [one] { $count } день
    [few] { $count } дня
   *[many] { $count } дней
 }
older = И ещё более старых: { $count }. Выберите меньше дней или укажите имя.
delivered_of = предупреждений доставлено { $count } из { $sent }
warnings = предупреждений доставлено: { $count }
devices = { $count ->
    [one] { $count } устройство
    [few] { $count } устройства
   *[many] { $count } устройств
 }
head_of_any = { $count ->
    [1] нельзя сказать о занятом GPU
    [one] нельзя сказать ни об одном из { $count } занятого GPU
   *[many] нельзя сказать ни об одном из { $count } занятых GPU
 }
head_of_some = { $count ->
    [one] О { $unclear } из { $count } занятого GPU ничего нельзя сказать
   *[many] О { $unclear } из { $count } занятых GPU ничего нельзя сказать
 }
head_are_idle = { $count ->
    [one] занят и простаивает
   *[many] заняты и простаивают
 }
title_idle = простаивают { $idle } из { $count } GPU
times = { $count ->
    [one] { $count } раз
    [few] { $count } раза
   *[many] { $count } раз
 }
gpus = { $count } GPU
of_gpus = { $idle } из { $count } GPU
yours_idle = { $count ->
    [1] Ваш GPU
   *[many] { $idle } из ваших { $count } GPU
 }
are_idle = { $count ->
    [one] простаивает.
   *[many] простаивают.
 }
idle_of = { $count ->
    [one] простаивает
   *[many] простаивают
 }
yours_unclear = { $count ->
    [1] О вашем GPU
   *[many] О { $unclear } из ваших { $count } GPU
 }
all_yours = { $count ->
    [1] Ваш GPU
   *[many] Все ваши GPU ({ $count })
 }
all_work = { $count ->
    [1] работает или занят слишком недавно, чтобы судить.
   *[many] работают или заняты слишком недавно, чтобы судить.
 }
keeps_left = сегодня осталось продлений: { $left } из { $count }
mornings_left = на этой неделе осталось продлений до утра: { $left } из { $count }
more_tracks = { $count ->
    [one] и ещё { $count } дорожка
    [few] и ещё { $count } дорожки
   *[many] и ещё { $count } дорожек
 }
more = { $count ->
    [one] И ещё { $count } задание, оно работает:
    [few] И ещё { $count } задания, они работают:
   *[many] И ещё { $count } заданий, они работают:
 }
more_nodes = { $count ->
    [one] и ещё на { $count } узле
   *[many] и ещё на { $count } узлах
 }

## Слова, которые ищутся по английским: виды, состояния, режимы, свидетели, пути

word_activity = что делают GPU
word_holder = кто их занимает
word_front = чьи это серверы
word_demand = что ждёт в очереди
word_people = кто эти люди
word_hearing = слышны ли ответы
word_up = в строю
word_drained = выведен
word_down = не работает
word_reserved = зарезервирован
word_interactive = интерактивное
word_training = обучение
word_inference = инференс
word_deferred = отложенное
word_other = прочее
word_observe = наблюдать
word_notify = сообщать
word_act = действовать
word_open = открыт
word_planned = намечено
word_acting = выполняется
word_verifying = проверяется
word_saving = сохраняется
word_closed = закрыт
word_released = освобождено
word_profiling = профилирование
word_utilisation = загрузка
word_power = мощность
word_context = процессы
word_history = прежняя работа
word_warning = предупреждение
word_advice = совет
word_final_warning = последнее предупреждение
word_release = освобождение
word_save = сохранение
word_keep = оставлено
word_kept = оставлено
word_dispute = возражение
word_approval = одобрение
word_approved = одобрено
word_paused = остановлено
word_resumed = остановка отменена
word_killed = аварийная остановка
word_failed = не удалось
word_interlock = сработала защита
word_store = нет места в хранилище
word_lacking = чего-то не хватает
word_saved = сохранено
word_not_saved = сохранение не удалось
word_reverted = запущено снова
word_dispute_overdue = возражение ждёт слишком долго
word_upheld = признано ошибкой
word_rejected = возражение отклонено
word_release_asked = просьба освободить
word_release_intended = освобождение решено
word_would_release = было бы освобождено
word_ended_by_its_owner = завершено владельцем
word_ended_by_itself = завершилось само
word_activity_returned = снова в работе
word_its_person_came_back = владелец вернулся
word_policy_changed = политика изменилась
word_run_began = начало работы
word_run_ended = конец работы
word_case_opened = случай открыт
word_case_closed = случай закрыт
word_given_back = возвращено владельцем
word_verified = проверено
word_delivered = доставлено
word_queued = в очереди
word_assumed = не отправлялось
word_ambiguous = неясно, доставлено ли
word_returned = вернулось недоставленным
word_slack = Slack
word_mail = почта
word_link = ссылка
word_mailbox = почтовый ящик
word_proxy = сайт
word_oidc = сайт
word_socket = команда
word_an_operator = оператор
