#include "fetch/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>

struct range4 {
    uint32_t prefix;
    int bits;
};

/* IANA IPv4 Special-Purpose Address Registry, entries that are not globally reachable, plus
 * multicast and reserved space. */
static const struct range4 closed4[] = {
    {0x00000000, 8},  /* 0.0.0.0/8 this network */
    {0x0a000000, 8},  /* 10.0.0.0/8 private */
    {0x64400000, 10}, /* 100.64.0.0/10 shared (RFC 6598) */
    {0x7f000000, 8},  /* 127.0.0.0/8 loopback */
    {0xa9fe0000, 16}, /* 169.254.0.0/16 link-local, metadata */
    {0xac100000, 12}, /* 172.16.0.0/12 private */
    {0xc0000000, 24}, /* 192.0.0.0/24 protocol assignments */
    {0xc0000200, 24}, /* 192.0.2.0/24 documentation */
    {0xc0586300, 24}, /* 192.88.99.0/24 6to4 relays (deprecated) */
    {0xc0a80000, 16}, /* 192.168.0.0/16 private */
    {0xc6120000, 15}, /* 198.18.0.0/15 benchmarks */
    {0xc6336400, 24}, /* 198.51.100.0/24 documentation */
    {0xcb007100, 24}, /* 203.0.113.0/24 documentation */
    {0xe0000000, 4},  /* 224.0.0.0/4 multicast */
    {0xf0000000, 4},  /* 240.0.0.0/4 reserved, broadcast */
};

struct range6 {
    uint8_t prefix[16];
    int bits;
    int carries4;  /* offset of an IPv4 address that decides; -1 = closed */
    bool inverted; /* the carried bits are flipped (Teredo, RFC 4380) */
};

/* Everything outside 2000::/3 is closed but for the ranges here that carry an IPv4 address. */
static const struct range6 special6[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, 12, false}, /* ::ffff:0:0/96 mapped */
    {{0x00, 0x64, 0xff, 0x9b}, 96, 12, false},                   /* 64:ff9b::/96 NAT64 */
    {{0x20, 0x01, 0x00, 0x00}, 32, 12, true},                    /* 2001::/32 Teredo */
    {{0x20, 0x01, 0x00, 0x00}, 23, -1, false},                   /* 2001::/23 assignments */
    {{0x20, 0x01, 0x0d, 0xb8}, 32, -1, false},                   /* documentation */
    {{0x20, 0x02}, 16, 2, false},                                /* 2002::/16 6to4 */
    {{0x3f, 0xff}, 20, -1, false},                               /* documentation (RFC 9637) */
};

static bool is_public4(uint32_t address) {
    for (size_t i = 0; i < sizeof closed4 / sizeof *closed4; i++)
        if ((address ^ closed4[i].prefix) >> (32 - closed4[i].bits) == 0)
            return false;
    return true;
}

static bool has_prefix(const uint8_t address[16], const uint8_t prefix[16], int bits) {
    int whole = bits / 8, rest = bits % 8;
    return memcmp(address, prefix, (size_t)whole) == 0 &&
           (rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0);
}

static uint32_t carried4(const uint8_t *at, bool inverted) {
    uint32_t address = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    return inverted ? ~address : address;
}

static bool is_public6(const uint8_t address[16]) {
    for (size_t i = 0; i < sizeof special6 / sizeof *special6; i++) {
        const struct range6 *range = &special6[i];
        if (has_prefix(address, range->prefix, range->bits))
            return range->carries4 >= 0 &&
                   is_public4(carried4(address + range->carries4, range->inverted));
    }
    static const uint8_t global_unicast[16] = {0x20};
    return has_prefix(address, global_unicast, 3);
}

bool address_is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return is_public4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        return is_public6(in.sin6_addr.s6_addr);
    }
    return false;
}

struct span address_text(struct arena *arena, const struct sockaddr *address) {
    char text[INET6_ADDRSTRLEN] = "?";
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    if (address->sa_family == AF_INET) {
        memcpy(&in, address, sizeof in);
        inet_ntop(AF_INET, &in.sin_addr, text, sizeof text);
    } else if (address->sa_family == AF_INET6) {
        memcpy(&in6, address, sizeof in6);
        inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof text);
    }
    return arena_copy(arena, span_of(text));
}
