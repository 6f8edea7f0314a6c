/**
 * Answers `--help` and ends. Asked after all that a bench needs has been loaded: so its test knows that it is all there.
 * @param usage what stands behind `npm run bench --`
 */
export function answerHelp(usage: string): void {
  if (!process.argv.includes('--help')) return;
  process.stdout.write(`Usage: npm run bench -- ${usage}\n`);
  process.exit(0);
}
