#ifndef C_LINKED_AGENT_H
#define C_LINKED_AGENT_H

/// What the product MemlabAgent links into a program, so that it can be watched without preloading.
///
/// Nothing has to be imported or called. Where the environment asks for nothing, the program runs as
/// without it, with the allocator that it would have: see `memlab_agent_is_wanted`. The file of the program
/// has a section `.note.memlab`, by which `memlab watch` knows it.

#endif
