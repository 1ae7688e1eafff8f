# Почему что-то так. SPAN произносит секунды, SHORT — коротко.

together = { $reasons }
refused = { RULE($rule) }: { $reason }

## Правила, как они стоят перед причиной.
rule-budget = бюджет
rule-deaf = ответы
rule-delivery = доставка
rule-demand = спрос
rule-dispute = возражение
rule-dropped = отменено
rule-evidence = данные
rule-grace = отсрочка
rule-host = узел
rule-hours = рабочие часы
rule-interlock = защита
rule-keep = оставлено
rule-kernel = ядро блокнота
rule-killed = аварийная остановка
rule-lacking = чего-то не хватает
rule-last-look = последняя проверка
rule-limit = предел времени
rule-network = сеть
rule-not-saved = сохранение не удалось
rule-notices = сообщения
rule-observed = наблюдение
rule-owner = владелец
rule-paused = остановлено
rule-presence = присутствие
rule-quota = квота
rule-rhythm = ритм
rule-save = сохранение
rule-upheld = признано ошибкой
rule-verdict = вердикт
rule-window = окно простоя

## Что мешает шагу.
idle-only = простой пока только { SPAN($seconds) }
kind-unnamed = { $kind } освобождается, только если это есть в политике
minute-too-old = последняя минута данных слишком старая
input-ago = ввод был { SPAN($seconds) } назад
waits-longer = ждёт, пока простой не продлится { SPAN($seconds) }
outside-hours-person = сейчас нерабочее время, и ничто не доказывает, что никого нет
outside-hours-jobs = сейчас нерабочее время, и никто не ждёт этих GPU
outside-hours-workloads = сейчас нерабочее время, и никто не ждёт этих GPU
hours-unknown-person = справочник не отвечает, рабочие часы владельца неизвестны
hours-unknown-jobs = справочник не отвечает, рабочие часы владельца неизвестны
hours-unknown-workloads = справочник не отвечает, рабочие часы владельца неизвестны
no-job-fits = в очереди нет задания для этих GPU
no-workload-fits = ни одна рабочая нагрузка не ждёт этих GPU
observed-only = эта версия политики наблюдает только { SPAN($seconds) }
answers-unheard = ответов не слышно уже { $minutes } мин
owner-changed = предупреждали другого: владелец сменился
operator-kept = оставил оператор
kept = оставлено: { $giver }
team-holds = у команды занято { $held } из { $allowed } GPU
team-idles = у команды простаивает { $idle } GPU, можно { $allowed }
disputed = получено возражение: решает оператор
is-disputed = получено возражение
verdict-is = { $kind ->
    [idle] простой
    [warm] готов
    [busy] работа
    [unknown] неясно
   *[other] { $kind }
 }: { $reason }
not-arrived = предупреждение { $warning } не доставлено ({ $state ->
    [unsent] не отправлялось
    [queued] в очереди
    [failed] не удалось
    [ambiguous] неясно, доставлено ли
    [returned] вернулось
   *[other] { $state }
 })
not-arrived-for = предупреждение { $warning } не доставлено ({ $state ->
    [queued] в очереди
    [failed] не удалось
    [ambiguous] неясно, доставлено ли
    [returned] вернулось
   *[other] { $state }
 }: { $error })
last-notice-unarrived = последнее сообщение всё же не доставлено
told-within-day = за сутки владельцу сообщали уже { $notices } раз
grace-ends-outside = отсрочка кончилась бы в нерабочее время
limit-ends-first = раньше его завершит собственный предел времени
unknown-after-save = что происходит после сохранения, ещё не видно
session-unsignalled = интерактивному сеансу сигнал не посылается
signal-uncaught = { $signal } не перехватывает { $whom ->
    [batch] сценарий задания
    [step] шаг задания
   *[any] ни сценарий задания, ни каждый его шаг
 }: сигнал не посылается
signals-uncaught = { $first } и { $second } не перехватывает { $whom ->
    [batch] сценарий задания
    [step] шаг задания
   *[any] ни сценарий задания, ни каждый его шаг
 }: сигнал не посылается
dropped-in-a-row = { $why } ({ $times } раз подряд)
budget-cycle = не больше { $acts } за цикл
budget-hour = не больше { $acts } в час
budget-owner = не больше { $acts } на владельца
budget-node = не больше { $acts } на узел
budget-share = не больше { $percent }% занятых GPU в час
budget-approval = больше { $gpus } GPU: нужны два оператора
kill-switch = включена аварийная остановка
few-seen = видно только { $percent }% занятых устройств
turned-idle = за 15 мин простаивать стали { $devices } из { $of } устройств
exporters-restarted = за час перезапустились экспортёры: { $restarted } из { $exporters }
clock-stepped = часы скакнули на { $seconds } с
last-acts-failed = два последних действия не удались или были отменены
owner-gave-back = освобождение по просьбе владельца: завершится в течение нескольких минут, после проверки
operator-will-look = получено сообщение об ошибке: проверит оператор
store-full = ничего не оценивается и не делается: { $why }; освободите место

## Есть ли кто за работой.
no-session = сеанса не видно: есть ли кто, неизвестно
session-unmeasured = { $kind }: что в нём идёт, не измеряется
session-unprovable = { $kind }: ничто не докажет, что никого нет
session-state = { $kind }: { $state ->
    [busy] занят
    [unreachable] недоступен
   *[other] { $state }
 }
session-unread = { $kind }: последний ввод не прочитать
session-old = { $kind }: последняя проверка { $minutes } мин назад
no-input = ввода не было { $minutes } мин ({ $kinds })

## Что не даёт освободить, хотя GPU простаивают.
kernel-unmeasured = ядро занято, а узел не измеряется
host-unmeasured = что делается на узле, не измеряется
network-unknown = на GPU нет процессов, но не видно, что данные не передаются
came-back-before = из такой паузы оно уже возвращалось: ждём { SHORT($seconds) }

## Что делает задание, по вердикту.
and = { $first }, { $second }
family-profiling = профилирование
family-utilisation = загрузка
family-power = мощность
family-context = процессы
family-history = прежняя работа
seen-by = { " " }(по данным: { FAMILIES($families) })
ownership = кто занимает, неясно: { $doubt }
never-seen = ещё не видно: { $devices }
devices = { $names }
none = ни одного устройства
no-signal = нет сигнала: { SHORT($seconds) }
requests-unseen = запросов сейчас не видно
requests-answered = в последнюю минуту были ответы на запросы
between-requests = между запросами
requests-still = запросов не было всё время работы GPU ({ SHORT($seconds) }): они ничего не доказывают
no-request-alone = нет запросов: { SHORT($seconds) }, но больше ничто этого не подтверждает
no-request-no-work = нет запросов: { SHORT($seconds) }, нет работы{ $by }
requests-uncounted = о сервере судят по запросам, а их никто не считает
idle-unwitnessed = простой { SHORT($seconds) }, но на { $gpu } ничто его не подтверждает: нужны { $needed } разных признака
idle-one-witness = простой { SHORT($seconds) }, но на { $gpu } его подтверждает только { FAMILIES($by) }: нужны { $needed } разных признака
no-work = нет работы на { $devices ->
    [1] GPU
   *[other] { $devices } GPU
 }: { SHORT($seconds) }{ $by }
little-work = почти нет работы на { $devices ->
    [1] GPU
   *[other] { $devices } GPU
 }: { SHORT($seconds) }{ $by }
nothing-held = нет процессов, память свободна
memory-held = занята память или контекст
host-unknown-yet = что делает процессор, ещё не видно
host-worked = процессор работал { $percent } % этого времени
host-rests = процессор отдыхает только { SHORT($seconds) }
host-works = процессор сейчас работает
host-worked-last = процессор работал, когда его видели в последний раз
hung = движки заняты без всякой работы на { $devices ->
    [1] своём GPU
   *[other] всех { $devices } GPU
 }: { SHORT($seconds) }
hung-some = движки заняты без всякой работы на { $waiting } из { $devices } GPU: { SHORT($seconds) }
rank-died = на { $devices } ничего не происходит: возможно, ранг завершился
blips-regular = короткая работа каждые { SHORT($seconds) }, { $times } раз, и больше ничего
blips-short = { $times } коротких всплесков работы без долгой паузы, { $percent } % простоя между ними
trickle = SM заняты на { $percent } % в каждую минуту: { SHORT($seconds) }, больше никогда
clocked = ввод каждые { SHORT($every) }, { $times } раз с точностью до { SHORT($spread) }, и { $reason }
devices-unseen = не видно устройств: { $unseen } из { $devices }
some-idle = простаивают { $idle } из { $devices }: { SHORT($seconds) }
devices-at-work = устройств в работе: { $working } из { $devices }
pausing = пауза: { SHORT($seconds) }
bursts = работа рывками, { $percent } % последнего часа, между ними ожидание: чего, здесь не измеряется
bursts-reading = работа рывками, { $percent } % последнего часа, между ними ожидание: процессы читают или пишут
bursts-host = работа рывками, { $percent } % последнего часа, между ними ожидание: процессор занят на { $cores } ядер
bursts-quiet = работа рывками, { $percent } % последнего часа, между ними ожидание: процессор свободен
cure-storage = перенесите данные на быстрый локальный диск
cure-workers = дайте загрузчику больше процессов
cure-ranks = проверьте обмен данными и другие ранги

## Чего хватило бы.
advice-partial = { $spare } из { $devices } GPU простаивают { $minutes } мин, пока другие работают: хватило бы { $devices } - { $spare } = { $left }
advice-pauses = простой { $times } раз за сутки по { $minutes } мин и дольше, всего { $total } мин: между делом GPU можно отдавать
advice-slice = занято { $used } из { $card } ГБ и { $percent } % SM целого { $model }: хватило бы 1/7 с { $slice } ГБ
advice-tensor = тензорные ядра заняты на { $percent } %, пока работают SM: смешанная точность (bf16, tf32) может закончить раньше и на меньшем числе GPU
advised = { $run }: { $advice }

## Что произошло и чем кончилось.
case-opened = { $run }, политика { $policy }: { $reason }
released = { $run } больше нет: освобождено
release-failed = { $run }: освобождение не удалось: { $error }
release-reverted = { $run }: запущено снова: { $error }
step-dropped = { $run }: { $error }
gone-as-asked = { $run } больше нет: об освобождении просит { $who }
saved-itself = { $run } сохранено: доказательство есть
save-unproven = { $run }: сохранение не доказано: { $error }
ended-at-limit = { $run } завершено по собственному пределу времени
ended-itself = { $run } завершилось само
run-is = { $state ->
    [gone] задания больше нет
   *[other] задание: { $state }
 }
not-begun-in-time = не начато вовремя
wish-not-begun = не удалось начать вовремя
only-observes-now = его политика теперь только наблюдает
not-theirs = больше не принадлежит { $who }
no-policy-any-more = для него больше нет политики
operator-keeps = его оставил оператор
operator-disputes = оператор отметил это как ошибку
