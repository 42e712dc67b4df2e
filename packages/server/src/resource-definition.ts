import type { Annotations, Ask, Icon, JsonObject, TemplateParams } from "@mortise/core";
import type { Completer } from "./completer.js";
import type { HandlerContext } from "./context.js";
import type { InputRequired } from "./input-required.js";
import type { ItemHandle } from "./item-handle.js";
import type { CacheHint } from "./server-options.js";
import type { Visible } from "./visible.js";

/** What a resource or a template of resources is, beside its address and its handler. */
export interface ResourceDefinition<Uri extends string = string> {
  /** A name for programs. @default the address */
  readonly name?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** What the resource holds, for the model. */
  readonly description?: string | undefined;
  /** The type of what it holds, which is also that of contents which name none. */
  readonly mimeType?: string | undefined;
  /** How long what it holds is, in bytes. Templates have none. */
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
  /** How long and by whom what was read may be kept. @default the server's `cache.read` */
  readonly cache?: Partial<CacheHint> | undefined;
  /** Proposes values for the variables of a template, by their names. */
  readonly complete?: { readonly [Name in keyof TemplateParams<Uri>]?: Completer | undefined } | undefined;
  /**
   * Lists resources that the template fits, for `resources/list`: after the registered ones, and in the order given. Called for
   * each page. What it throws fails the list; a thrown `JsonRpcError` is sent as it is. @default none
   */
  readonly list?: ResourceLister | undefined;
  /** Questions the handler cannot do without. A caller that did not declare them is turned away before the handler runs. */
  readonly asks?: readonly Ask[] | undefined;
  /** Tells who may know of the resource, by their authorization alone. Lists with such resources are private to each caller. @default everybody */
  readonly visible?: Visible | undefined;
}

/** A resource that a template lists. Without a name it goes by its address, without a type by that of the template. */
export interface ListedResource
  extends Pick<
    ResourceDefinition,
    "name" | "title" | "description" | "mimeType" | "size" | "icons" | "annotations" | "_meta"
  > {
  readonly uri: string;
}

/** Lists what a template fits. */
export type ResourceLister = (
  context: HandlerContext,
) => readonly ListedResource[] | PromiseLike<readonly ListedResource[]>;

/** A resource or a template as the constructor takes it, under the protocol's own names. It has one of the two addresses. */
export interface ResourceEntry extends Omit<ResourceDefinition, "complete"> {
  readonly uri?: string | undefined;
  readonly uriTemplate?: string | undefined;
  readonly complete?: Readonly<Record<string, Completer | undefined>> | undefined;
  readonly read: ResourceHandler;
}

/** What is asked of a resource's handler. */
export interface ResourceRequest<Uri extends string = string> {
  /** The address that was asked for. */
  readonly uri: string;
  /** What it has in the places of the template's variables, decoded. */
  readonly params: TemplateParams<Uri>;
}

/** One thing that a resource holds: text, or bytes as they are or in base64. */
export type ResourceContents = {
  /** @default the address that was asked for */
  readonly uri?: string | undefined;
  /** @default the definition's */
  readonly mimeType?: string | undefined;
  readonly _meta?: JsonObject | undefined;
} & ({ readonly text: string } | { readonly blob: string | Uint8Array | ArrayBuffer });

/** A whole `resources/read` result. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources */
export interface ResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: JsonObject | undefined;
}

/**
 * What a resource's handler may return: text, bytes, contents, several, or a whole result; and in their place, what `inputRequired`
 * makes. Nothing, and no contents at all, say that there is no such resource.
 */
export type ResourceReturn =
  | string
  | Uint8Array
  | ArrayBuffer
  | ResourceContents
  | readonly ResourceContents[]
  | ResourceResult
  | InputRequired
  | null
  | undefined;

/** Reads a resource. What it throws is answered with an internal error; a thrown `JsonRpcError` is sent as it is. */
export type ResourceHandler<Uri extends string = string> = (
  request: ResourceRequest<Uri>,
  context: HandlerContext,
) => ResourceReturn | PromiseLike<ResourceReturn>;

/** What `update` of a resource's handle replaces. */
export type ResourceChange<Uri extends string = string> = Omit<ResourceEntry, "uri" | "uriTemplate" | "read"> & {
  readonly read?: ResourceHandler<Uri> | undefined;
};

/** Changes one registered resource or template. `update` throws like `resource()`, and then leaves it as it was. */
export interface ResourceHandle<Uri extends string = string> extends Omit<ItemHandle<ResourceChange<Uri>>, "name"> {
  /** The address, or the text of the template. */
  readonly uri: string;
}
