declare global {
  interface Window {
    /** By whole address: what src/early.ts asked for while the program was on its way. */
    earlyAnswers?: Map<string, Promise<Response>>;
  }
}

/** `fetch`, which first looks whether the answer was asked for before the program ran. Each serves once. */
export const fetchOrEarly: typeof fetch = (input, init) => {
  const address = new URL(String(input), window.location.href).href;
  const early = window.earlyAnswers?.get(address);
  window.earlyAnswers?.delete(address);
  return early ?? fetch(input, init);
};
