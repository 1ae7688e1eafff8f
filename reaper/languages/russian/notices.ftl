# Что узнают владельцы и операторы: коротко, спокойно, без упрёков.
# «бы» всюду, где политика не действует, чтобы никто не боялся того, чего не будет.
# GPU не склоняется.  Что значат переменные, сказано в английском файле.

gpus = { $devices ->
    [1] GPU
   *[many] { $devices } GPU
 }
whose = { $reader ->
    [absent] { gpus } пользователя { $person }
   *[self] { $devices ->
        [1] Ваш
       *[many] Ваши
     } { gpus }
 }
whose-inside = { $reader ->
    [absent] { gpus } пользователя { $person }
   *[self] { $devices ->
        [1] ваш
       *[many] ваши
     } { gpus }
 }
named = { $titled ->
    [yes] { $allocation } «{ $name }»
   *[no] { $allocation }
 }
holding = { $placed ->
    [many] { $devices } × { $model } на { $nodes } и ещё на { $more ->
        [one] { $more } узле
       *[many] { $more } узлах
     }
    [some] { $devices } × { $model } на { $nodes }
   *[nowhere] { $devices } × { $model }
 }

## Каждый вид

idles = { $devices ->
    [1] простаивает
   *[many] простаивают
 }
warning-title = { whose } { idles } { SPAN($idle_seconds) }
final-title = Последнее уведомление: { whose-inside } всё ещё { idles }
idle = { named } занимает { holding }, но работы на GPU нет с { $since }.
freed = { $devices ->
    [1] освобождён
   *[many] освобождены
 }
released-title = { $mode ->
    [would] { whose } { $devices ->
        [1] был
       *[many] были
     } бы { freed }
   *[acts] { whose } { freed }
 }
released-title-asked = { released-title }, как вы просили
released = { named }: работы на GPU не было с { $since } ({ SPAN($idle_seconds) }).
released-asked = { named } больше не занимает { holding }.
reverted-title = { $allocation } снова занимает GPU после освобождения
reverted = { named }: после освобождения снова запущено другой системой.
failed-title = Не удалось освободить { $allocation }
failed = { named } по-прежнему занимает { holding }.
operator-title = Посмотрите, пожалуйста: { $allocation }
operator = { named } { $owned ->
    [yes] пользователя { $user }
   *[no] неизвестного владельца
 }: нужен оператор.

## Показания

seen-label = Показания
costs-label = Стоимость
costs = { $amount } в час
policy-label = Политика
outcome-label = Итог
holds-label = Занято
since-label = Простой с
since = { $since }
since-for = { $since } ({ SPAN($idle_seconds) })

## Что будет дальше

again = Задание вернётся в очередь и начнётся с начала.
keep-by = Продлить: { $command }
back-by = Запустить снова: { $command }
was-not-ended = Эта политика пока только предупреждает: ничего не завершено.
is-this-wrong = Это ошибка? Сообщите, пожалуйста: показания сохранены, оператор проверит.
until-seen = Больше ничего не произойдёт, пока не проверит оператор.
until-all-seen = { until-seen }
yourself = Вы просили освободить: вы можете завершить задание сами или попросить ещё раз позже.
last-notice-first = Пока ничего не освобождается: сначала придёт последнее уведомление.
for-information = Ничего не будет освобождено: это сообщение для сведения.
release-at = { $mode ->
    [would] Если бы простой продолжился, { $devices ->
        [1] GPU был бы освобождён
       *[many] GPU были бы освобождены
     } не раньше { $at }.
   *[acts] Если простой продолжится, { $devices ->
        [1] GPU будет освобождён
       *[many] GPU будут освобождены
     } не раньше { $at }.
 }
will-not-be-ended = Эта политика пока только предупреждает: ничего завершено не будет.
saving = { $mode ->
    [would] Перед этим программу попросили бы сохранить работу.
   *[acts] Перед этим программу попросят сохранить работу.
 }
no-saving = Сохранить работу за вас нельзя: сохраните, пожалуйста, всё нужное.
# $hook (own, none): whether it has a hook that runs first; $seconds until it is ended anyway.
parting = При освобождении { $hook ->
    [own] выполнится его собственная команда остановки, затем программы попросят завершиться: на всё
   *[none] программы попросят завершиться: у них
 } есть { SPAN($seconds) }.
condition-demand = Освобождение возможно, только пока этих GPU ждёт задание.
condition-demand-workload = Освобождение возможно, только пока этих GPU ждёт рабочая нагрузка.
condition-presence = Сейчас нельзя понять, ушёл ли человек: ждём дольше обычного.
condition-host = Что делает узел, не измеряется: ждём дольше обычного.
condition-observed = За этой политикой пока только наблюдают: она ещё ничего не освобождает.
condition-save = Сохранить работу за вас нельзя, а без сохранения ничего не освобождается.
condition-paused = Оператор приостановил все освобождения.
answer-by-work = Отвечать не обязательно: если снова начать работу, уведомление снимается.
keeps-used-up = Продления использованы.
keeps-left = Ещё нужно? Ответьте, и на это время всё останется (сегодня есть { $keeps ->
    [one] { $keeps } продление
    [few] { $keeps } продления
   *[many] { $keeps } продлений
 }).
twice = Это сообщение может прийти дважды: неизвестно, дошло ли оно в первый раз.
late = Уведомление пришло с опозданием, раньше его доставить не удалось: всё в нём на сейчас.
absent = Вы получили это, потому что { $person } здесь больше не работает, а вы указаны как контакт.

## Несколько сразу

where = { $count ->
    [one] { $count } задании
   *[many] { $count } заданиях
 }
warning-several = GPU простаивают в { where }
final-several = Последнее уведомление: GPU всё ещё простаивают в { where }
released-several = Освобождены GPU в { where }
reverted-several = После освобождения снова заняты GPU в { where }
failed-several = Не удалось освободить GPU в { where }
operator-several = Посмотрите, пожалуйста: GPU в { where }
together = Вместе они { $kind ->
    [released] занимали
   *[other] занимают
 } { $devices } GPU.
each-answers = На каждое отвечают отдельно. Если снова начать работу, уведомление о нём будет снято.
is-one-wrong = Где-то ошибка? Сообщите, пожалуйста, на странице задания: оператор проверит.
saving-each = { $mode ->
    [would] Перед этим каждую программу попросили бы сохранить работу.
   *[acts] Перед этим каждую программу попросят сохранить работу.
 }
no-saving-each = { $which ->
    [all] Сохранить работу за вас нельзя: сохраните, пожалуйста, всё нужное.
   *[some] Сохранить работу в { $lost } за вас нельзя: сохраните, пожалуйста, всё нужное.
 }
line = { holding }; простой { SPAN($idle_seconds) }
line-outcome = { line }; { $outcome }
line-release = { line }; освобождение { $mode ->
    [would] было бы не раньше { $at }
   *[acts] не раньше { $at }
 }

## Советы о размерах

advice-title = Совет: { $reader ->
    [absent] GPU пользователя { $person }
   *[self] ваши GPU
 } нужны не все, лишних { $spare }
advice-title-work = Совет: { $reader ->
    [absent] GPU пользователя { $person }
   *[self] ваши GPU
 } могли бы делать больше
advice-where = { $allocations ->
    [one] { $allocations } задании
   *[many] { $allocations } заданиях
 }
advice-work = В { advice-where } можно сделать больше на том, что занято.
advice-hours = В { advice-where }: { $spare } GPU × 24 ч = { $hours } GPU-часа в день.
advice-money = В { advice-where }: { $spare } GPU × 24 ч = { $hours } GPU-часа в день, { $amount }.
advice-seen = Так было { $at }.
advice-line-hours = { $finding }. { $spare } × 24 ч = { $hours } GPU-часа в день
advice-line-money = { $finding }. { $spare } × 24 ч × { $price } = { $amount } в день
advice-more = И ещё { $count ->
    [one] { $count } меньшее замечание
    [few] { $count } меньших замечания
   *[many] { $count } меньших замечаний
 }.
advice-calm = Это совет: из-за него ничего не освобождается, и отвечать на него не нужно.

## Ответы

answer-keep = Оставить на { SPAN($seconds) }
answer-until-morning = Оставить до утра следующего рабочего дня
answer-release = Освободить сейчас
answer-dispute = Это ошибка
confirm-release = Освободить { named } сейчас? Работа завершится, несохранённое пропадёт.
confirm-dispute = Сообщить, что это ошибка? С { named } больше ничего не произойдёт, пока не проверит оператор.
links = Каждая ссылка открывает страницу, которая сначала спросит. Не пересылайте их: по ним отвечают от вашего имени.
why = Почему?
back = Назад

## Что с этим стало

operator-unnamed = оператор
fate-kept = Оставлено до { $until } ({ $by }).
fate-disputed = Получено сообщение об ошибке: ничего не произойдёт, пока не проверит оператор.
fate-asked = Запрошено освобождение ({ $by }), оно выполняется.
fate-returned = GPU снова работают: это уведомление больше не действует.
fate-released = Освобождено.
fate-given-back = Освобождено по запросу ({ $by }). Спасибо.
fate-replaced = Есть более новое сообщение: оно говорит, как обстоят дела.
fate-passed = Это уведомление больше не действует: за ним ничего не последует.

## Что слышит в ответ на нажатие только тот, кто нажал

reply-kept = Оставлено до { $until }.
reply-late = Освобождение уже началось: оно будет отменено, если это ещё возможно.
reply-released = Спасибо. Ресурсы освобождаются.
reply-disputed = Принято. Ничего не произойдёт, пока не посмотрит оператор.
reply-refused = Ничего не изменено: { $refusal }
reply-used = На это сообщение уже ответили: ответ засчитывается один раз.
reply-stranger = Это сообщение адресовано другому человеку, и ответить может только он.
reply-altered = Эта кнопка больше не работает: сообщение устарело. В новом сообщении есть свои.
reply-unsure = Не удалось узнать в Slack, кто вы, поэтому ничего не изменено. Попробуйте ещё раз.
reply-broken = Здесь произошла ошибка, ничего не изменено. Попробуйте через минуту.
