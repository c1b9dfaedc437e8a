/* The caching allocator both kinds share: blocks given back are kept and handed out again, because
 * a block asked from a GPU's driver makes the device wait (CUDA Programming Guide, 4.3). */
#include "bench/device_kind.h"

#include <stdlib.h>

const char *const memory_category_names[MEMORY_CATEGORIES] = {
    "parameters", "gradients", "optimizer", "activations", "data", "workspace"};

struct block {
    void *at;
    size_t bytes;  /* as taken from the system */
    size_t wanted; /* as asked for; what the categories count */
    enum memory_category category;
    bool used;
};

struct memory_pool {
    struct block *blocks;
    size_t count, capacity;
    struct memory_use use;
};

/* Sizes are rounded up so that a block fits the next request of nearly its size. */
#define MEMORY_ROUND 512
/* A free block may be this much larger than what it is used for. */
#define MEMORY_SLACK 1.25

struct memory_pool *memory_pool_new(void) {
    struct memory_pool *pool = memory_alloc(sizeof *pool);
    *pool = (struct memory_pool){0};
    return pool;
}

static void count_up(struct memory_use *use, const struct block *block) {
    use->now[block->category] += block->wanted;
    use->now_total += block->wanted;
    if (use->now[block->category] > use->peak[block->category])
        use->peak[block->category] = use->now[block->category];
    if (use->now_total > use->peak_total)
        use->peak_total = use->now_total;
}

static struct block *find_free(struct memory_pool *pool, size_t bytes) {
    struct block *best = NULL;
    for (size_t i = 0; i < pool->count; i++) {
        struct block *b = &pool->blocks[i];
        if (!b->used && b->bytes >= bytes && (double)b->bytes <= MEMORY_SLACK * (double)bytes &&
            (!best || b->bytes < best->bytes))
            best = b;
    }
    return best;
}

static void say_full(struct device *device, size_t bytes, enum memory_category category) {
    const struct memory_use *use = &device->memory->use;
    device_fail(
        device, ERROR_UNAVAILABLE, "use a smaller batch, dim or depth, or a larger memory budget",
        "out of memory: %zu bytes for %s, with %zu bytes in use (parameters %zu, gradients "
        "%zu, optimizer %zu, activations %zu, data %zu, workspace %zu) and a budget of %zu",
        bytes, memory_category_names[category], use->now_total, use->now[MEMORY_PARAMETERS],
        use->now[MEMORY_GRADIENTS], use->now[MEMORY_OPTIMIZER], use->now[MEMORY_ACTIVATIONS],
        use->now[MEMORY_DATA], use->now[MEMORY_WORKSPACE], device->options.memory_budget);
}

static void *from_system(struct device *device, size_t bytes) {
    const struct memory_pool *pool = device->memory;
    size_t budget = device->options.memory_budget;
    if (budget && (bytes > budget || pool->use.reserved > budget - bytes))
        return NULL;
    return device->kind->allocate(device, bytes);
}

/* A new block, after a second try without the cached ones. */
static struct block *new_block(struct device *device, size_t bytes) {
    struct memory_pool *pool = device->memory;
    void *at = from_system(device, bytes);
    if (!at) {
        device_memory_trim(device);
        at = from_system(device, bytes);
    }
    if (!at)
        return NULL;
    if (pool->count == pool->capacity) {
        pool->capacity = pool->capacity ? 2 * pool->capacity : 64;
        pool->blocks = memory_resize(pool->blocks, pool->capacity * sizeof *pool->blocks);
    }
    pool->use.reserved += bytes;
    pool->use.allocations++;
    pool->blocks[pool->count] = (struct block){.at = at, .bytes = bytes};
    return &pool->blocks[pool->count++];
}

void *device_alloc(struct device *device, size_t bytes, enum memory_category category) {
    if (bytes > SIZE_MAX - MEMORY_ROUND) {
        say_full(device, bytes, category);
        return NULL;
    }
    size_t rounded =
        bytes ? (bytes + MEMORY_ROUND - 1) / MEMORY_ROUND * MEMORY_ROUND : MEMORY_ROUND;
    struct block *block = find_free(device->memory, rounded);
    if (!block)
        block = new_block(device, rounded);
    if (!block) {
        say_full(device, bytes, category);
        return NULL;
    }
    block->used = true;
    block->wanted = bytes;
    block->category = category;
    count_up(&device->memory->use, block);
    return block->at;
}

void device_free(struct device *device, void *at) {
    struct memory_pool *pool = device->memory;
    for (size_t i = 0; at && i < pool->count; i++) {
        struct block *block = &pool->blocks[i];
        if (block->at != at || !block->used)
            continue;
        block->used = false;
        pool->use.now[block->category] -= block->wanted;
        pool->use.now_total -= block->wanted;
        return;
    }
}

struct memory_use device_memory_use(const struct device *device) {
    return device->memory->use;
}

void device_memory_reset_peak(struct device *device) {
    struct memory_use *use = &device->memory->use;
    memcpy(use->peak, use->now, sizeof use->peak);
    use->peak_total = use->now_total;
}

void device_memory_trim(struct device *device) {
    struct memory_pool *pool = device->memory;
    size_t kept = 0;
    device->kind->wait(device);
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->blocks[i].used) {
            pool->blocks[kept++] = pool->blocks[i];
            continue;
        }
        device->kind->release(device, pool->blocks[i].at);
        pool->use.reserved -= pool->blocks[i].bytes;
    }
    pool->count = kept;
}

void memory_pool_free(struct device *device) {
    struct memory_pool *pool = device->memory;
    for (size_t i = 0; i < pool->count; i++)
        device->kind->release(device, pool->blocks[i].at);
    free(pool->blocks);
    free(pool);
    device->memory = NULL;
}
