#include "CLinux.h"

// `swift_task_enqueueGlobal_hook`, as swift/Runtime/Concurrency.h declares it: where it is set, the
// runtime gives it each task that is not bound to an executor. The linker finds it: a program that is
// linked statically, as the installed one is, has no symbols that `dlsym` could find.
typedef __attribute__((swiftcall)) void (*enqueue)(void *_Nonnull task);
extern __attribute__((swiftcall)) void (*_Nullable swift_task_enqueueGlobal_hook)(
    void *_Nonnull task, enqueue _Nonnull original
);

static void (*_Nullable taker)(void *_Nonnull task);

static __attribute__((swiftcall)) void hand_over(void *task, enqueue original) {
    (void)original;
    taker(task);
}

void linux_take_tasks(void (*take)(void *task)) {
    taker = take;
    swift_task_enqueueGlobal_hook = hand_over;
}
