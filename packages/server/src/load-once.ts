/**
 * Gives what `load` loads: at first a promise, then the thing itself. To import a module again takes microseconds, even though it is
 * there already, which is much for what happens with every request.
 */
export function loadOnce<Loaded extends object>(load: () => Promise<Loaded>): () => Loaded | Promise<Loaded> {
  let loaded: Loaded | undefined;
  return () =>
    loaded ??
    load().then((first) => {
      loaded = first;
      return first;
    });
}
