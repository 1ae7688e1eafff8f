# Почему просьба не выполнена: что, какое, кто может, что делать вместо этого.

## О чём просьба

listed = `gpu-reaper status` перечисляет их как platform/id
many-of-that-name = { $name }: так называется не одно задание; { listed }
none-of-that-name = { $name }: такого задания среди действующих нет; { listed }
no-open-case = { $allocation }: открытого случая нет, с заданием ничего не произойдёт
not-in-the-books = { $allocation } ещё не в книгах: спросите через минуту
was-released = { $run } освобождено { $at }: всё позади; если это ошибка, сообщите в течение { $days } дней: `gpu-reaper dispute { $run } --reason …`
has-ended = { $run } завершилось { $at }: с ним больше ничего не может произойти

## Кто просит

not-yours = { $allocation } принадлежит не вам ({ $user }), а { $owned ->
    [yes] { $owner }
   *[no] неизвестно кому
 }
was-not-yours = { $run } принадлежало не вам ({ $user }), а { $owned ->
    [yes] { $owner }
   *[no] неизвестно кому
 }
owner-alone-gives-back = { $allocation } принадлежит { $owned ->
    [yes] { $owner }
   *[no] неизвестно кому
 }: вернуть может только владелец
operators-alone = { $user } не может { $what ->
    [pause] остановить
    [resume] отменить остановку
    [rule] решать возражения
   *[approve] одобрить
 }: это могут только операторы (см. `operators:`)
answered-already = этот ответ уже дан, а засчитывается он один раз: посмотрите свои задания или спросите `gpu-reaper`
connection-gone = соединение прервано
foreign-namespace = запрос из чужого пространства имён пользователей или от nobody: спросите как пользователь этой машины
nameless-uid = у uid { $uid } на этой машине нет имени: спросите как пользователь, которого она знает

## Продление

no-time-to-keep = { $seconds } с — это не срок: попросите, например, 2h
not-kept = не оставлено: { $why }; оставить или исключить может оператор
not-kept-so-long = не оставлено: не больше { $days } дней; для большего нужно исключение (`exemptions:`)
mornings-used-up = до следующего утра — не больше { $allowed } в неделю
no-mornings = политика не знает продления до следующего утра
longer-than-allowed = не больше { $hours } ч за один раз
keeps-used-up = не больше { $allowed ->
    [one] { $allowed } продления
   *[many] { $allowed } продлений
 } в день
keeps-used-up-unused = { keeps-used-up }, а продления дня возвращаются, только если с тех пор была работа: поработайте на GPU или в сеансе

## Возврат и возражения

yourself = { $command ->
    [none] вы можете завершить задание сами
   *[other] вы можете: { $command }
 }
not-touched = { $allocation } отсюда не трогают ({ $policed ->
    [yes] политика { $policy } только наблюдает
   *[no] политики для него нет
 }): { yourself }
nothing-released-now = сейчас ничего не освобождается ({ $hold }: { $reason }): { yourself }
not-known = неизвестно, что { $allocation } занимает и делает ({ $reason }): { yourself }
at-work = { $allocation } сейчас работает ({ $verdict }: { $reason }): подтвердите, что его нужно завершить
saving-itself = { $run } сохраняет работу перед освобождением: посмотрите через несколько минут
being-released = { $run } уже освобождается: посмотрите через несколько минут
will-be-released = { $run } и так будет освобождено: просил { $by }
disputed-already = { $run }: возражение уже есть, проверит оператор

## О чём просят операторы

no-policy = политики { $policy } нет: { $known ->
    [none] нет никаких
   *[other] { $known }
 }
no-hold = остановки { $hold } нет: { $known ->
    [none] нет никаких
   *[other] { $known }
 }
no-hold-stands = ничего не остановлено: отменять нечего
many-holds = остановок { $count }, назовите одну через `--hold`: { $known }
not-disputed = { $allocation }: возражения нет
approved-already = { $user } уже одобрил { $allocation }; нужен другой оператор
no-room = сейчас ничего нельзя записать ({ $why }): освободите место
