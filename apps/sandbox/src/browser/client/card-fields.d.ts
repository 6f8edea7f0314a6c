export type Field = 'number' | 'expiry' | 'cvc';
export type Fault = { code: string } | undefined;

/** Returns the network of a number's first digits, or `unknown`. */
export function brandOf(number: string): string;
/** Formats what was typed: `4242 4242 …`, `04 / 30`. */
export function format(field: Field, text: string, brand?: string): string;
/** Returns the fault of a field; nothing if it is complete. `today` decides over the expiry. */
export function fault(field: Field, text: string, brand: string, today: Date): Fault;
/** Whether a fault is shown while typing: an unfinished field is not wrong yet. */
export function isWrong(found: Fault): boolean;
