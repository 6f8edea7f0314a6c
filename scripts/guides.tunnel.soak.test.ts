import { commandsOf, guides } from '@fixpoint/testkit/guides.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuideScene, openGuideScene } from './testing/guide-scene.ts';
import { guideWalks } from './testing/guide-walks.ts';
import { walkGuide } from './testing/walk-guide.ts';

/**
 * Runs every command of every guide as the user that the guide names, in the order in which an operator needs the guides: on a
 * shop that is installed from the built package, and on a VPN host. Commands are those of the pages. One that cannot run here has
 * a reason (`testing/guide-walks.ts`), which is counted and printed.
 */
let scene: GuideScene;
/** Placeholders and examples of all pages, and what they are here. */
const words: Record<string, string> = {
  AMOUNT: '50.00',
  DISPUTE: 'dp_1',
  PASSWORD: 'secret',
  PLAN: 'solo',
  TEXT: 'test',
  'att_…': 'att_1',
  'inv_…': 'inv_1',
  'po_…': 'po_1',
  'ref_…': 'ref_1',
};
const walks = guideWalks(() => scene, words);
let [ran, left] = [0, 0];

beforeAll(async () => {
  scene = await openGuideScene();
  process.stdout.write(`Stand-ins for packages of Debian: ${scene.standIns.join(', ') || 'none'}\n`);
}, 600_000);
afterAll(async () => {
  process.stdout.write(`Guides: ${ran} commands ran, ${left} did not\n`);
  await scene?.close();
}, 120_000);

test('OP2 every page with commands is walked, and no section is left out', () => {
  const walked = new Set(walks.map(({ page }) => page));
  expect(guides().filter(page => commandsOf(page).length > 0 && !walked.has(page))).toEqual([]);
  for (const { page, without = [] } of walks)
    expect(walks.flatMap(walk => (walk.page === page ? (walk.only ?? []) : []))).toEqual(
      expect.arrayContaining([...without]),
    );
});

test.each(walks.map(walk => [[walk.page, ...(walk.only ?? [])].join(', '), walk] as const))(
  'OP2 every command of %s works as the user that it names',
  { timeout: 1_200_000 },
  async (name, walk) => {
    const since = performance.now();
    const walked = await walkGuide(walk, words, scene.run);
    const seconds = Math.round((performance.now() - since) / 1000);
    process.stdout.write(`${name}: ${walked.ran} commands in ${seconds} s\n`);
    for (const [reason, lines] of walked.left)
      process.stdout.write(`  ${lines.length} did not run: it ${reason}\n`);
    ran += walked.ran;
    left += [...walked.left.values()].flat().length;
  },
);
