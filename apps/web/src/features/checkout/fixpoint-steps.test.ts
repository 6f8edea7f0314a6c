import { describe, expect, it } from 'vitest';
import { dotPlace, type FixpointStep } from './fixpoint-steps.tsx';

const steps = (...states: FixpointStep['state'][]): FixpointStep[] =>
  states.map((state, index) => ({ id: `s${index}`, label: '', stateLabel: '', state }));

describe('position of the dot', () => {
  it('is the running step', () => {
    expect(dotPlace(steps('done', 'running', 'waiting'), true)).toBe('s1');
  });

  it('is the landing only if there is one and every step is done', () => {
    expect(dotPlace(steps('done', 'done'), true)).toBe('landing');
    expect(dotPlace(steps('done', 'done'), false)).toBeUndefined();
    expect(dotPlace(steps('done', 'failed'), true)).toBeUndefined();
  });

  it('is nowhere before anything has begun', () => {
    expect(dotPlace(steps('waiting', 'waiting'), true)).toBeUndefined();
  });
});
