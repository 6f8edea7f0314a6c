/**
 * The shop under test. The stack of the run sets it (`stack.ts`), its tests read it. `regionId` names the demo region with
 * its real tunnels; where it cannot run, `noRegion` says why and what to do.
 */
export type TestStack = {
  url: string;
  sandboxUrl: string;
  controlToken: string;
  regionId?: string;
  noRegion?: string;
};

const NAME = 'FIXPOINT_E2E';

export function setTestStack(stack: TestStack) {
  process.env[NAME] = JSON.stringify(stack);
}

export function testStack(): TestStack {
  const text = process.env[NAME];
  if (!text) throw new Error('no stack: run through playwright.config.ts');
  return JSON.parse(text) as TestStack;
}
