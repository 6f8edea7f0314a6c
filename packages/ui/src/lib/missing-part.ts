let handler: ((error: unknown) => void) | undefined;

/** Sets how an app tells that a part of the page did not arrive. Called once, before the first page is drawn. */
export function onMissingPart(tell: (error: unknown) => void): void {
  handler = tell;
}

/** Tells that a part of the page did not arrive. Throws where the app has not said how: nobody would notice. */
export function tellMissingPart(error: unknown): void {
  if (!handler) throw error;
  handler(error);
}
