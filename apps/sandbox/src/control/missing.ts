/** @throws a 404: the control interface was told a name that nothing has */
export function missing(what: string, id: string): never {
  throw Object.assign(new Error(`No ${what} ${id}`), { statusCode: 404 });
}
