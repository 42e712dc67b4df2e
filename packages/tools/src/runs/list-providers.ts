import type { ProviderStatus } from "../providers/provider.js";
import type { Run, RunContext } from "../tool-spec.js";
import type { ListProvidersArgs } from "../tools/list-providers.js";

/** Tells what is known of the providers without calling any. What holds keys never gets here. */
export const run: Run<ListProvidersArgs> = ({ provider }, context) => {
  const { all } = context.providers;
  const told = provider === undefined ? all : all.filter(({ id }) => id === provider);
  const id = chooseDefault(context);
  return {
    ...(id === undefined ? {} : { default: id }),
    configured: told.filter(({ configured }) => configured).map((status) => status.id),
    providers: told.map(describe),
  };
};

/** One that was named for the server stands even where it is not configured: then calls fail and say what it needs. */
function chooseDefault({ preferred, providers }: RunContext): string | undefined {
  return preferred ?? providers.default?.id;
}

function describe({ id, label, configured, model, imageModel, missing }: ProviderStatus): object {
  return {
    id,
    name: label,
    configured,
    ...(model === undefined ? {} : { model }),
    ...(imageModel === undefined ? {} : { imageModel }),
    unset: [...missing],
  };
}
