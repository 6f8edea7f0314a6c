/**
 * Where the shop under test is; set by the stack that the run starts (`stack.ts`), read by its tests. `regionId` names the
 * demo region with its real tunnels; where that cannot run, `noRegion` says why and what to do.
 */
export type TestStack = {
  url: string;
  sandboxUrl: string;
  controlToken: string;
  regionId?: string;
  noRegion?: string;
};

const NAME = 'FIXPOINT_E2E';

export function announceStack(stack: TestStack) {
  process.env[NAME] = JSON.stringify(stack);
}

export function testStack(): TestStack {
  const text = process.env[NAME];
  if (!text) throw new Error('no stack: run through playwright.config.ts');
  return JSON.parse(text) as TestStack;
}
