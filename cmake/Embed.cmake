# A file as a C array: cmake -DFROM=FILE -DTO=FILE.c -DNAME=symbol -P Embed.cmake
file(READ ${FROM} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR bytes "${digits} / 2")
string(REGEX REPLACE "(..)" "0x\\1," body "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" body "${body}")
file(WRITE ${TO} "#include <stddef.h>\n\nextern const unsigned char ${NAME}[];\nextern const size_t ${NAME}_len;\n\nconst unsigned char ${NAME}[] = {\n${body}};\nconst size_t ${NAME}_len = ${bytes};\n")
