import { afterEach, describe, expect, it } from 'vitest';
import { createClock } from './clock.ts';
import { createSchedule, type Schedule } from './schedule.ts';
import { eventually } from './testing/harness.ts';

let schedule: Schedule;
afterEach(() => schedule.clear());

function open() {
  let time = 1_000;
  const done: string[] = [];
  schedule = createSchedule(createClock(0, { now: () => new Date(time) }));
  return {
    done,
    plan: (due: number, name: string) => schedule.at(due, () => done.push(name)),
    moveTo: (to: number) => {
      time = to;
    },
  };
}

describe('the schedule', () => {
  it('runs only what is due, earliest first, and equal times in order of arrival', () => {
    const { done, plan, moveTo } = open();
    plan(1_300, 'c');
    plan(1_100, 'a');
    plan(1_100, 'b');
    plan(1_301, 'd');
    moveTo(1_300);
    schedule.catchUp();
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('runs what becomes due through what it runs', () => {
    const { done, plan, moveTo } = open();
    schedule.at(1_100, () => plan(1_200, 'second'));
    moveTo(1_200);
    schedule.catchUp();
    expect(done).toEqual(['second']);
  });

  it('notices by itself that the clock was moved', async () => {
    const { done, plan, moveTo } = open();
    plan(90_000_000, 'much later');
    moveTo(90_000_000);
    await eventually(() => done).toEqual(['much later']);
  });

  it('continues after a failed task', () => {
    const { done, plan, moveTo } = open();
    schedule.at(1_100, () => {
      throw new Error('no');
    });
    plan(1_200, 'next');
    moveTo(1_200);
    expect(() => schedule.catchUp()).toThrow('no');
    schedule.catchUp();
    expect(done).toEqual(['next']);
  });

  it('forgets waiting tasks when it is cleared', () => {
    const { done, plan, moveTo } = open();
    plan(1_100, 'a');
    schedule.clear();
    moveTo(1_200);
    schedule.catchUp();
    expect(done).toEqual([]);
  });
});
