import { expect, test } from 'vitest';
import { cronOf } from '../adapters/jobs/queues.ts';
import { scheduledTasks } from './scheduled-tasks.ts';

test('every scheduled task has a unique name, because its queue and its alert use it', () => {
  const names = scheduledTasks.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the description of each scheduled task is one sentence', () => {
  for (const { name, description } of scheduledTasks)
    expect(description, name).toMatch(/^[A-Z][a-z]+s .*[^.]\.$/);
});

test('a task runs every minute, every hour at a minute of its own, or at night', () => {
  const cron = Object.fromEntries(scheduledTasks.map(task => [task.name, cronOf(task)]));
  expect(cron).toMatchObject({ renewDue: '* * * * *', checkBooks: '0 3 * * *' });
  const hourly = scheduledTasks.filter(({ interval }) => interval === 'hour').map(({ name }) => cron[name]!);
  for (const each of hourly) expect(each).toMatch(/^([1-5]?\d) \* \* \* \*$/);
  expect(new Set(hourly).size).toBe(hourly.length);
});
