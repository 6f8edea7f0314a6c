/** @throws a 404: no object has that name */
export function missing(what: string, id: string): never {
  throw Object.assign(new Error(`No ${what} ${id}`), { statusCode: 404 });
}
