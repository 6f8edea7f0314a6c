/** A longer record contains two decisions or reference material. */
const MOST_LINES = 60;
const HEADINGS = ['Context', 'Decision', 'Consequences'];
const FORM = /^# (\d+)\. (.+)\n\nStatus: (accepted|superseded by \d{4})\n\nDate: (\d{4}-\d\d-\d\d)\n/;

/**
 * Faults in the form of decision records, one line each.
 * @param records file name → text
 * @param index text of the page that lists all records
 */
export function faultsOfDecisions(records: ReadonlyMap<string, string>, index: string): string[] {
  return Array.from(records).flatMap(([name, text]) => {
    const [, number, title, status, date] = FORM.exec(text) ?? [];
    if (!number) return `${name}: must begin with a numbered title, Status and Date, as in the template`;
    const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    const line = `| [${number}](${name}) | ${title} | ${status} | ${date} |`;
    return [
      number.padStart(4, '0') !== name.slice(0, 4) && `${name}: its title has the number ${number}`,
      headings.join() !== HEADINGS.join() && `${name}: its sections are not ${HEADINGS.join(', ')}`,
      text.trimEnd().split('\n').length > MOST_LINES && `${name}: is longer than ${MOST_LINES} lines`,
      !index.includes(line) && `${name}: the index lacks the line ${line}`,
    ].filter(fault => fault !== false);
  });
}
