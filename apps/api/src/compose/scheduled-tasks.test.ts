import { expect, test } from 'vitest';
import { cronOf } from '../adapters/jobs/queues.ts';
import { scheduledTasks } from './scheduled-tasks.ts';

test('every scheduled task has a name of its own: its queue and its alert are named by it', () => {
  const names = scheduledTasks.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('operators read one sentence about each scheduled task', () => {
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
