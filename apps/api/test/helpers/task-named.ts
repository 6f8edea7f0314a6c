import { bindTask } from '../../src/jobs/scheduled-tasks.ts';
import type { BoundTask, ScheduledTask } from '../../src/ports/jobs.ts';

/** Finds a scheduled task by name and binds the dependencies that a test provides. */
export function taskNamed<Task extends ScheduledTask<never>>(
  tasks: readonly Task[],
  name: string,
  deps: Partial<Parameters<Task['run']>[0]>,
): BoundTask {
  const task = tasks.find(each => each.name === name);
  if (!task) throw new Error(`no scheduled task ${name}`);
  return bindTask(task, deps as never);
}
