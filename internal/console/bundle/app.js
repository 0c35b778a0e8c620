/* Generated from da4323ed01fa967a055791ee534ddf833bf9e57170406d5ffba4e9f2f755e389; see licenses.txt. */
var lr,nt,vc,Th,xa,mc,wc,yc,ki,nr,$o,xc,Ci,_i,ji,Dh,or={},rr=[],Rh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,dr=Array.isArray;function sa(e,t){
for(var n in t)e[n]=t[n];return e}function Si(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function Ti(e,t,n){var s,o,r,i={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:i[r]=t[r];if(arguments.length>2&&(i.children=arguments.length>3?lr.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
i[r]===void 0&&(i[r]=e.defaultProps[r]);return ar(e,i,s,o,null)}function ar(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++vc,__i:-1,__u:0};return o==null&&nt.vnode!=null&&nt.vnode(r),r}function cr(e){return e.children}function sr(e,t){this.props=e,this.context=t}function Ka(e,t){if(t==null)return e.__?Ka(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Ka(e):null}function Mh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=sa({},
t);r.__v=t.__v+1,nt.vnode&&nt.vnode(r),Di(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Ka(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,Sc(s,r,o),
t.__e=t.__=null,r.__e!=n&&kc(r)}}function kc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),kc(e)}function $c(e){(!e.__d&&(e.__d=!0)&&xa.push(e)&&!ir.__r++||mc!=nt.debounceRendering)&&((mc=nt.debounceRendering)||wc)(ir)}function ir(){
try{for(var e,t=1;xa.length;)xa.length>t&&xa.sort(yc),e=xa.shift(),t=xa.length,Mh(e)}finally{xa.length=ir.__r=0}}function _c(e,t,n,s,o,r,i,c,g,f,y){var M,v,S,W,
ne,ce,Te=s&&s.__k||rr,oe=t.length;for(g=Ah(n,t,Te,g,oe),M=0;M<oe;M++)(S=n.__k[M])!=null&&(v=S.__i!=-1&&Te[S.__i]||or,S.__i=M,ce=Di(e,S,v,o,r,i,c,g,f,y),W=S.__e,
S.ref&&v.ref!=S.ref&&(v.ref&&Ri(v.ref,null,S),y.push(S.ref,S.__c||W,S)),ne==null&&W!=null&&(ne=W),4&S.__u?(g=jc(S,g,e),v.__e&&(v.__e=null)):typeof S.type=="func\
tion"&&ce!==void 0?g=ce:W&&(g=W.nextSibling),S.__u&=-7);return n.__e=ne,g}function Ah(e,t,n,s,o){var r,i,c,g,f,y=n.length,M=y,v=0;for(e.__k=new Array(o),r=0;r<o;r++)
(i=t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i=="string"||typeof i=="number"||typeof i=="bigint"||i.constructor==String?i=e.__k[r]=ar(null,
i,null,null,null):dr(i)?i=e.__k[r]=ar(cr,{children:i},null,null,null):i.constructor===void 0&&i.__b>0?i=e.__k[r]=ar(i.type,i.props,i.key,i.ref?i.ref:null,i.__v):
e.__k[r]=i,g=r+v,i.__=e,i.__b=e.__b+1,c=null,(f=i.__i=Oh(i,n,g,M))!=-1&&(M--,(c=n[f])&&(c.__u|=2)),c==null||c.__v==null?(f==-1&&(o>y?v--:o<y&&v++),typeof i.type!=
"function"&&(i.__u|=4)):f!=g&&(f==g-1?v--:f==g+1?v++:(f>g?v--:v++,i.__u|=4))):e.__k[r]=null;if(M)for(r=0;r<y;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=Ka(
c)),Dc(c,c));return s}function jc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=jc(s[o],t,n));return t}e.__e!=
t&&(t&&e.type&&!t.parentNode&&(t=Ka(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function Oh(e,t,n,s){var o,r,i,c=e.key,g=e.type,f=t[n],y=f!=null&&(2&f.__u)==0;if(f===null&&c==null||y&&c==f.key&&g==f.type)return n;if(s>(y?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((f=t[i=o>=0?o--:r++])!=null&&(2&f.__u)==0&&c==f.key&&g==f.type)return i}return-1}function gc(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||Rh.test(t)?n:n+"px"}function tr(e,t,n,s,o){var r,i;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||gc(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||gc(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
xc,"$1")),i=t.toLowerCase(),t=i in e||t=="onFocusOut"||t=="onFocusIn"?i.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[$o]=s[$o]:(n[$o]=Ci,e.addEventListener(
t,r?ji:_i,r)):e.removeEventListener(t,r?ji:_i,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function bc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[nr]==null)t[nr]=Ci++;else if(t[nr]<n[$o])return;return n(nt.event?nt.event(t):t)}}}function Di(e,t,n,s,o,r,i,c,g,f){var y,M,v,S,W,ne,
ce,Te,oe,Ye,qt,lt,ue,$e,Ht,St,ft=t.type;if(t.constructor!==void 0)return null;128&n.__u&&(g=!!(32&n.__u),r=[c=t.__e=n.__e]),(y=nt.__b)&&y(t);e:if(typeof ft=="fu\
nction"){M=i.length;try{if(oe=t.props,Ye=ft.prototype&&ft.prototype.render,qt=(y=ft.contextType)&&s[y.__c],lt=y?qt?qt.props.value:y.__:s,n.__c?Te=(v=t.__c=n.__c).
__=v.__E:(Ye?t.__c=v=new ft(oe,lt):(t.__c=v=new sr(oe,lt),v.constructor=ft,v.render=Ih),qt&&qt.sub(v),v.state||(v.state={}),v.__n=s,S=v.__d=!0,v.__h=[],v._sb=[]),
Ye&&v.__s==null&&(v.__s=v.state),Ye&&ft.getDerivedStateFromProps!=null&&(v.__s==v.state&&(v.__s=sa({},v.__s)),sa(v.__s,ft.getDerivedStateFromProps(oe,v.__s))),W=
v.props,ne=v.state,v.__v=t,S)Ye&&ft.getDerivedStateFromProps==null&&v.componentWillMount!=null&&v.componentWillMount(),Ye&&v.componentDidMount!=null&&v.__h.push(
v.componentDidMount);else{if(Ye&&ft.getDerivedStateFromProps==null&&oe!==W&&v.componentWillReceiveProps!=null&&v.componentWillReceiveProps(oe,lt),t.__v==n.__v||
!v.__e&&v.shouldComponentUpdate!=null&&v.shouldComponentUpdate(oe,v.__s,lt)===!1){t.__v!=n.__v&&(v.props=oe,v.state=v.__s,v.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Ee){Ee&&(Ee.__=t)}),rr.push.apply(v.__h,v._sb),v._sb=[],v.__h.length&&i.push(v),c=Ka(n);break e}v.componentWillUpdate!=null&&v.componentWillUpdate(
oe,v.__s,lt),Ye&&v.componentDidUpdate!=null&&v.__h.push(function(){v.componentDidUpdate(W,ne,ce)})}if(v.context=lt,v.props=oe,v.__P=e,v.__e=!1,ue=nt.__r,$e=0,Ye)
v.state=v.__s,v.__d=!1,ue&&ue(t),y=v.render(v.props,v.state,v.context),rr.push.apply(v.__h,v._sb),v._sb=[];else do v.__d=!1,ue&&ue(t),y=v.render(v.props,v.state,
v.context),v.state=v.__s;while(v.__d&&++$e<25);v.state=v.__s,v.getChildContext!=null&&(s=sa(sa({},s),v.getChildContext())),Ye&&!S&&v.getSnapshotBeforeUpdate!=null&&
(ce=v.getSnapshotBeforeUpdate(W,ne)),Ht=y!=null&&y.type===cr&&y.key==null?Tc(y.props.children):y,c=_c(e,dr(Ht)?Ht:[Ht],t,n,s,o,r,i,c,g,f),v.base=t.__e,t.__u&=-161,
v.__h.length&&i.push(v),Te&&(v.__E=v.__=null)}catch(Ee){if(i.length=M,t.__v=null,g||r!=null){if(Ee.then){for(t.__u|=g?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(St=r.length;St--;)Si(r[St])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Ee.then||Cc(
t),nt.__e(Ee,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=Eh(n.__e,t,n,s,o,r,i,g,f);return(y=nt.diffed)&&y(t),128&t.__u?void 0:c}function Cc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(Cc))}function Sc(e,t,n){for(var s=0;s<n.length;s++)Ri(n[s],n[++s],n[++s]);nt.__c&&nt.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){nt.__e(r,o.__v)}})}function Tc(e){return typeof e!="object"||e==null||e.__b>0?e:dr(e)?e.map(Tc):e.constructor!==
void 0?null:sa({},e)}function Eh(e,t,n,s,o,r,i,c,g){var f,y,M,v,S,W,ne,ce=n.props||or,Te=t.props,oe=t.type;if(oe=="svg"?o="http://www.w3.org/2000/svg":oe=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(f=0;f<r.length;f++)if((S=r[f])&&"setAttribute"in S==!!oe&&(oe?S.localName==
oe:S.nodeType==3)){e=S,r[f]=null;break}}if(e==null){if(oe==null)return document.createTextNode(Te);e=document.createElementNS(o,oe,Te.is&&Te),c&&(nt.__m&&nt.__m(
t,r),c=!1),r=null}if(oe==null)ce===Te||c&&e.data==Te||(e.data=Te);else{if(r=oe=="textarea"&&Te.defaultValue!=null?null:r&&lr.call(e.childNodes),!c&&r!=null)for(ce=
{},f=0;f<e.attributes.length;f++)ce[(S=e.attributes[f]).name]=S.value;for(f in ce)S=ce[f],f=="dangerouslySetInnerHTML"?M=S:f=="children"||f in Te||f=="value"&&"\
defaultValue"in Te||f=="checked"&&"defaultChecked"in Te||tr(e,f,null,S,o);for(f in Te)S=Te[f],f=="children"?v=S:f=="dangerouslySetInnerHTML"?y=S:f=="value"?W=S:
f=="checked"?ne=S:c&&typeof S!="function"||ce[f]===S||tr(e,f,S,ce[f],o);if(y)c||M&&(y.__html==M.__html||y.__html==e.innerHTML)||(e.innerHTML=y.__html),t.__k=[];else if(M&&
(e.innerHTML=""),_c(t.type=="template"?e.content:e,dr(v)?v:[v],t,n,s,oe=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,i,r?r[0]:n.__k&&Ka(n,0),c,g),r!=null)
for(f=r.length;f--;)Si(r[f]);c&&oe!="textarea"||(f="value",oe=="progress"&&W==null?e.removeAttribute("value"):W!=null&&(W!==e[f]||oe=="progress"&&!W||oe=="optio\
n"&&W!=ce[f])&&tr(e,f,W,ce[f],o),f="checked",ne!=null&&ne!=e[f]&&tr(e,f,ne,ce[f],o))}return e}function Ri(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u==
"function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){nt.__e(o,n)}}function Dc(e,t,n){var s,o;if(nt.unmount&&nt.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||Ri(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){nt.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&Dc(s[o],t,n||typeof e.type!="function");n||Si(e.__e),e.__c=e.__=e.__e=void 0}function Ih(e,t,n){return this.constructor(e,n)}function Mi(e,t,n){
var s,o,r,i;t==document&&(t=document.documentElement),nt.__&&nt.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],i=[],Di(t,e=(!s&&n||t).__k=Ti(cr,null,
[e]),o||or,or,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?lr.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,i),Sc(r,e,i),e.props.children=null}lr=rr.slice,nt={__e:function(e,t,n,s){for(var o,r,i;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),i=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),i=o.__d),i)return o.__E=o}catch(c){e=c}throw e}},vc=0,Th=function(e){return e!=null&&e.constructor===
void 0},sr.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=sa({},this.state),typeof e=="function"&&(e=e(sa({},n),
this.props)),e&&sa(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),$c(this))},sr.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),$c(this))},
sr.prototype.render=cr,xa=[],wc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,yc=function(e,t){return e.__v.__b-t.__v.__b},
ir.__r=0,ki=Math.random().toString(8),nr="__d"+ki,$o="__a"+ki,xc=/(PointerCapture)$|Capture$/i,Ci=0,_i=bc(!1),ji=bc(!0),Dh=0;var Mc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],c=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?s[0]=c:i===4?s[1]=Object.assign(s[1]||
{},c):i===5?(s[1]=s[1]||{})[t[++r]]=c:i===6?s[1][t[++r]]+=c+"":i?(o=e.apply(c,Mc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
Rc=new Map;function Ac(e){var t=Rc.get(this);return t||(t=new Map,Rc.set(this,t)),(t=Mc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,i="",c="",g=[0],f=function(v){
r===1&&(v||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?g.push(0,v,i):r===3&&(v||i)?(g.push(3,v,i),r=2):r===2&&i==="..."&&v?g.push(4,v,0):r===2&&i&&!v?g.push(5,0,!0,
i):r>=5&&((i||!v&&r===5)&&(g.push(r,0,i,o),r=6),v&&(g.push(r,v,0,o),r=6)),i=""},y=0;y<n.length;y++){y&&(r===1&&f(),f(y));for(var M=0;M<n[y].length;M++)s=n[y][M],
r===1?s==="<"?(f(),g=[g],r=3):i+=s:r===4?i==="--"&&s===">"?(r=1,i=""):i=s+i[0]:c?s===c?c="":i+=s:s==='"'||s==="'"?c=s:s===">"?(f(),r=1):r&&(s==="="?(r=5,o=i,i=""):
s==="/"&&(r<5||n[y][M+1]===">")?(f(),r===3&&(g=g[0]),r=g,(g=g[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(f(),r=2):i+=s),r===3&&i==="!--"&&(r=4,g=g[0])}return f(),g})(e)),t),arguments,[])).length>1?t:t[0]}var go,wt,Ai,Oc,pr=0,Wc=[],jt=nt,Ec=jt.__b,Ic=jt.__r,Pc=jt.diffed,Fc=jt.__c,Lc=jt.unmount,zc=jt.__;function Ei(e,t){jt.__h&&jt.__h(wt,e,pr||t),pr=0;var n=wt.__H||
(wt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function I(e){return pr=1,Ph(Hc,e)}function Ph(e,t,n){var s=Ei(go++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Hc(void 0,t),function(c){var g=s.__N?s.__N[0]:s.__[0],f=s.t(g,c);g!==f&&(s.__N=[f,s.__[1]],s.__c.setState({}))}],s.__c=wt,!wt.__f)){var o=function(c,g,f){
if(!s.__c.__H)return!0;var y=!1,M=s.__c.props!==c;if(s.__c.__H.__.some(function(S){if(S.__N){y=!0;var W=S.__[0];S.__=S.__N,S.__N=void 0,W!==S.__[0]&&(M=!0)}}),r){
var v=r.call(this,c,g,f);return y?v||M:v}return!y||M};wt.__f=!0;var r=wt.shouldComponentUpdate,i=wt.componentWillUpdate;wt.componentWillUpdate=function(c,g,f){if(this.
__e){var y=r;r=void 0,o(c,g,f),r=y}i&&i.call(this,c,g,f)},wt.shouldComponentUpdate=o}return s.__N||s.__}function ke(e,t){var n=Ei(go++,3);!jt.__s&&qc(n.__H,t)&&
(n.__=e,n.u=t,wt.__H.__h.push(n))}function Mt(e){return pr=5,an(function(){return{current:e}},[])}function an(e,t){var n=Ei(go++,7);return qc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function Fh(){for(var e;e=Wc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ur),t.__h.some(Oi),t.__h=[]}catch(n){t.__h=[],jt.__e(n,e.__v)}}}jt.__b=function(e){
wt=null,Ec&&Ec(e)},jt.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),zc&&zc(e,t)},jt.__r=function(e){Ic&&Ic(e),go=0;var t=(wt=e.__c).__H;t&&(Ai===wt?(t.
__h=[],wt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(ur),t.__h.some(Oi),t.__h=[],go=0)),Ai=wt},jt.diffed=function(e){Pc&&Pc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(Wc.push(t)!==1&&Oc===jt.requestAnimationFrame||((Oc=jt.requestAnimationFrame)||Lh)(Fh)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),Ai=wt=null},jt.__c=function(e,t){t.some(function(n){try{n.__h.some(ur),n.__h=n.__h.filter(function(s){return!s.__||Oi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],jt.__e(s,n.__v)}}),Fc&&Fc(e,t)},jt.unmount=function(e){Lc&&Lc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{ur(s)}catch(o){t=o}}),n.__H=void 0,t&&jt.__e(t,n.__v))};var Nc=typeof requestAnimationFrame=="function";function Lh(e){var t,n=function(){clearTimeout(s),Nc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);Nc&&(t=requestAnimationFrame(n))}function ur(e){var t=wt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
wt=t}function Oi(e){var t=wt;e.__c=e.__(),wt=t}function qc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Hc(e,t){return typeof t==
"function"?t(e):t}var a=Ac.bind(Ti);var ka=!1;try{ka=localStorage.getItem("zone")==="utc"}catch{}var Mn=()=>ka;function Ts(e){ka=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Uc=0,pt=()=>Date.now()+Uc;function Bc(e){Uc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var Ii=new Map,Ds=e=>{let t=ka?"UTC":void 0;return Ii.
has(ka)||Ii.set(ka,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(Ii.get(ka).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},Rs=(e=pt())=>Ds(e).timeZoneName,Nn=e=>{let t=Ds(
e);return`${t.year}-${t.month}-${t.day}`},cn=e=>{let t=Ds(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},zt=e=>`${Nn(e)} ${cn(e)}`,zh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],Pi=e=>{let t=Ds(e);return`${Number(t.day)} ${zh[t.month-1]}`},hr=e=>{let t=Ds(e);return`${Nn(e)===
Nn(pt())?"":Pi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},Fi=e=>`${Pi(e)} ${cn(e)}`;function Li(e,t=0){let[n,s,o]=e.split("-").map(Number);return(ka?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Jc(e,t){let n="";return e.map(s=>{let o=Ds(s*1e3),r=Pi(s*1e3),i=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:`${o.hour}:${o.minute}:${o.second}`;if(!i)return r;let c=r===n?i:`${i}
${r}`;return n=r,c})}var We={user:"",role:"",csrf:"",ways:[],absent:""},Gc={viewer:1,operator:2,admin:3},Ue=e=>(Gc[We.role]??0)>=Gc[e],qi=()=>{},Vc=e=>{qi=e};async function Yc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=We.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&qi(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404,refused:o.status>=400&&o.status<500});return r}var ra=e=>Yc("GET",e),Fe=(e,t={})=>Yc("POST",e,t);async function Ms(){let e=await ra(
"/api/session");return(e.absent!=="unread"||!We.user)&&Object.assign(We,{user:"",role:"",csrf:"",absent:""},e),We}function Se(e){let t=new URLSearchParams;for(let[
s,o]of Object.entries(e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Gn=null,Kc=!1;function zi(e){for(let t of _a.values())(e.includes(
"*")||e.some(n=>t.topics.has(n)))&&t.changed(e.includes("letters")&&t.topics.has("letters"))}var oa={state:null,at:Date.now()},Nh=3500,fr=()=>({state:oa.state,heard:oa.
at,cut:Date.now()-oa.at>Nh});function Ni(){Gn||document.hidden||!We.user||(oa.at=Date.now(),Gn=new EventSource("/api/live"),Kc&&(Gn.onopen=()=>zi(["*"])),Kc=!0,
Gn.onmessage=e=>zi(e.data.split(",")),Gn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=oa.state;Object.assign(
oa,{state:JSON.parse(e.data),at:Date.now()}),oa.state.at.startsWith("0001")||Bc(Date.parse(oa.state.at)),n&&t(n)!==t(oa.state)&&zi(["*"])}),Gn.onerror=()=>{Gn?.
readyState===EventSource.CLOSED&&(Gn=null,setTimeout(async()=>{await Ms().then(e=>e.user||e.absent==="unread",()=>!0)?Ni():qi()},2e3))})}function bo(){Gn?.close(),
Gn=null}function Hi(){document.addEventListener("visibilitychange",()=>document.hidden?bo():Ni()),window.addEventListener("pagehide",bo),Ni()}var _a=new Map,Wh=1500,
qh=500,Wi=class{state={data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){
if(this.busy){this.again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await ra(this.path),error:"",lost:!1}}catch(t){
this.state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost,refused:t.refused}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(t=!1){
if(this.busy){this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>_a.get(this.path)===this&&this.load(),Math.max(0,this.sent+(t?qh:Wh)-Date.
now()))}};function ge(e,t=[]){let[,n]=I(0),s=Mt(null),o=e?_a.get(e)??new Wi(e):null;o&&(_a.set(e,o),t.forEach(f=>o.topics.add(f))),ke(()=>{if(!o)return;let f=()=>n(
y=>y+1);return o.drawn.add(f),_a.has(e)||(_a.set(e,o),o.changed()),(o.state.data||o.state.error)&&f(),()=>{o.drawn.delete(f),o.drawn.size===0&&_a.get(e)===o&&_a.
delete(e)}},[o]);let{data:r,error:i,lost:c,refused:g}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:i,lost:c,refused:g,
reload:()=>o?.load()}}var Ui=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Hh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),Zc=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),Uh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),j=e=>Ui.format(e??0),mr=e=>Zc.format(e??0),$r=e=>Object.entries(e).map(
([t,n])=>`${mr(n)} ${t}`.trim()).join(", ")||"nothing",Kn=e=>e<1e4?Ui.format(e):Hh.format(e),un=e=>Number.isInteger(e)?Ui.format(e):Math.abs(e)>=100?Zc.format(e):
Uh.format(e),F=(e,t,n=t+"s")=>`${j(e)} ${e===1?t:n}`;function As(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?
e.toFixed(1):Math.round(e)} ${t[n]}`}function pn(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?
`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.floor(e/86400)} d ${Math.floor(e%86400/3600)}\
 h`}function vo(e,t=pt()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.floor(s)} s`;else if(s<3600)o=`${Math.floor(
s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=F(Math.floor(s/86400),"day");else return Nn(e);return n<0?`in ${o}`:`${o} ago`}var Wn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
hn={overview:Wn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Wn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
feeds:Wn(a`<path d="M12 3v10M8 9l4 4 4-4M4 15v5h16v-5" />`),jobs:Wn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Wn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),
campaigns:Wn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),rules:Wn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),
workers:Wn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),audit:Wn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Wn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Wn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var wo=[["h","","Overview"],["a","audiences","Audiences"],["f","feeds","Feeds"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],
["r","rules","Rules"],["u","audit","Audit"]];function An(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).join(
"/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Qc(){let[e,t]=I(An());return ke(()=>{
let n=()=>t(An());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function gr(e){let t=Mt(e);t.current=e,ke(
()=>{let n=()=>t.current();return window.addEventListener("popstate",n),()=>window.removeEventListener("popstate",n)},[])}function te(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function tt(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:An().params},s=new URLSearchParams;for(let[c,g]of Object.
entries({...n,...e}))g&&s.set(c,g);let o=s.toString(),r="#"+t+(o&&"?"+o),i=["text","match"].find(c=>c in e)??"";r!==location.hash&&(i&&history.state?.typed===i?
history.replaceState(history.state,"",r):history.pushState({typed:i},"",r),window.dispatchEvent(new Event("hashchange")))}history.scrollRestoration="manual";var Bi=0,
ia=null;window.addEventListener("scroll",()=>{clearTimeout(Bi),ia||(Bi=setTimeout(()=>history.replaceState({...history.state,y:window.scrollY},""),150))},{passive:!0});
var Xc=["wheel","touchstart","pointerdown","keydown"],eu=()=>{};function tu(){let e=ia!==null;return eu(),e}function nu(e,t){ia?.();let n=!t;eu=()=>{n=!0,ia&&s()};
let s=()=>{n&&(window.scrollTo(0,e),window.scrollY>=e-1&&ia?.())},o=new ResizeObserver(s),r=setTimeout(()=>ia?.(),5e3),i=()=>{ia=null,o.disconnect(),clearTimeout(
r),Xc.forEach(c=>window.removeEventListener(c,i))};ia=i,Xc.forEach(c=>window.addEventListener(c,i,{passive:!0})),o.observe(document.body)}var au=An().path;window.
addEventListener("hashchange",()=>{au=An().path});window.addEventListener("popstate",e=>{clearTimeout(Bi),ia?.(),e.state?.y>0&&nu(e.state.y,An().path!==au)});history.
state?.y>0&&nu(history.state.y);var Bh=/^[\w\-./,:=@%+]+$/,Ji=e=>Bh.test(e)?e:`'${e.replaceAll("'","'\\''")}'`;function Gi({seqs:e,replay:t,through:n,...s}){if(!t)return e?e.join(" "):Object.entries(
s).filter(([,o])=>o).map(([o,r])=>`--${o} ${Ji(String(r))}`).join(" ")}var Jh=["segment","campaign","advertiser"];function Ki(e,t={},{force:n,rate:s,reason:o}={}){
let r=Gi(e);if(r===void 0)return[];let i=o?` --reason ${Ji(o)}`:"",c=`${n?" --force":""}${s?` --rate ${s}/s`:""}${i}`,g=Object.entries(t);if(!g.length)return[`u\
sher dead replay ${r}${c}`];let f=`usher dead edit ${r}${g.map(([M,v])=>` --set ${Ji(`${M}=${v}`)}`).join("")}${i}`;return e.seqs||!e.id&&g.some(([M])=>Jh.includes(
M))?[f,`usher dead replay SEQ…${c}`]:[`${f} && usher dead replay ${r}${c}`]}var su=(e,t)=>[...t.map(n=>Object.fromEntries(n.map(s=>[s.field,s.value]))),{}].flatMap(
n=>Ki(e,n));var ja={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too few rows have a device \
id",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or a\
llow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay."},
poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},deadline:{
title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},Nt=e=>ja[e]?.
title??e,yo={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},Gh=e=>yo[e]?.[0]??e,Vn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),vr=(e,t,n)=>yo[e]&&/\S \S/.test(t??"")&&Vn(t)?yo[e][1](Vn(
t,n)):Gh(e),qe={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Vi={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},Kh={released:"\
rules may change it"},Vt=e=>Vi[e]??Kh[e]??e,Vh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},la=e=>Vh[e]??e.replaceAll(
"_"," "),xn={budget:"daily budget",bid:"maximum bid"},xo={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.only":"Rows taken, such as consent=yes","source.disregard":"Columns that decide no\
thing",input:"Form of the ids","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","source.sheet":"Sheet","source.skip":"Lines \
to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete export","source.compression":"Compressio\
n","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut off","source.anyVersion":"UUIDs of any\
 version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",force:"Although it removes more than i\
s allowed",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals allowed, in per\
cent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows allowed, in per\
cent"},da=e=>xo[e]??e,Yi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>la(n)).replace(/\bwithheld\.(\S+?)(?=:?(?:\s|$))/g,
"left out by $1").replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>xo[s.replaceAll("/",".")]?`${n}“${xo[s.replaceAll("/",".")]}”`:t),Yh={act:"acts",
approve:"asks first",notify:"notifies",observe:"only records"},Os=e=>Yh[e]??e,br=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b|"(force|acceptChange)": true/,
Zh=/([;.:] )/,ou=e=>/\busher (?!dead edit)[a-z]/.test(e);function wr(e){if(!br.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>br.test(r)?"":o).replace(
/, see [^,;]*/g,o=>br.test(o)?"":o).split(Zh),n="",s=!1;for(let o=0;o<t.length;o+=2)s=br.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(
/^(or|and|then) /,"").replace(/[;:.\s]+$/,"")}var Xh=new RegExp(Object.keys(xo).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)\
?\\b${e.replace(".","\\.")}\\b`).join("|"),"g");function ru(e){let t=[],n=0;for(let s of e.matchAll(Xh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.
index),{name:o,title:xo[o]}),n=s.index+s[0].length}return[...t,e.slice(n)]}var Zi={observe:"its mode",disabled:"the configuration",kept:"a person",hands_off:"a \
change that somebody else made",pending:"the platform's approval",pause_wanted:"another rule",decrease_wanted:"another rule",bound:"its min or max",cooldown:"it\
s cooldown",flips:"max_flips_per_day",keep_active:"keep_active",cap:"its limits",stop:"the stop switch"},iu=["cap","approval"],Ca=e=>e.action==="held"&&iu.includes(
e.guard),Es=e=>e.approvals?.length&&e.state!=="approved"?e.approvals.at(-1).waiting.length+(e.leftOut?.length??0):e.guards?iu.reduce((t,n)=>t+(e.guards[n]??0),0):
e.counts?.held??0;var lu=!0;function Ge({title:e,sub:t,crumb:n,acts:s,children:o}){let r=Mt(null);return ke(()=>{document.title=`${e} · usher`},[e]),ke(()=>{let i=tu();lu||(r.current?.
focus({preventScroll:!0}),i||window.scrollTo(0,0)),lu=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function X({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var Qh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Qi=e=>Qh[e]??"",Va=({
is:e})=>a`<span class="badge ${Qi(e)}" title=${Vi[e]?`the platform says ${e}`:qe[e]}>${Vt(e)}</span>`,qn=({kind:e,target:t,name:n})=>a`<span title=${e}>${vr(e,t,
n)}</span>`,Xi=new Set;setInterval(()=>Xi.forEach(e=>e(pt())),5e3);function Is(){let[e,t]=I(pt());return ke(()=>(Xi.add(t),()=>Xi.delete(t)),[]),Math.max(e,pt()-
5e3)}function Q({at:e}){return Is(),e?a`<time class="nowrap" datetime=${e} title=${zt(e)}>${vo(e)}</time>`:a`<span class="faint none">–</span>`}function Ya({at:e}){
let t=Is();return a`<time datetime=${e} title=${zt(e)}>since <span class="nowrap">${hr(e)}</span>, <span class="nowrap">${vo(e,t).replace(" ago","")}</span></time>`}
var yt=({text:e})=>a`<span title=${Yi(e)===e?void 0:e}><${Wt} text=${Yi(e)} /></span>`,Ps=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${j(
e.looked)} of ${j(e.of)} jobs so far</span>`}</div>`,Fs=(e,t)=>t?e?j(e)+"+":"…":j(e),De=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,kn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
ef=({text:e})=>ru(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),tf=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${ef} text=${t} />`),Wt=({text:e})=>typeof e=="string"?a`<${tf} text=${wr(e)||e} />`:e;function Hn({text:e,of:t,onFix:n,letters:s,remedies:o=[]}){let r=ja[t],
i=typeof e=="string"?wr(e):e,c=r?.then==="Then replay."?/\breplay\b/i.test(i):/\bdiscard\b/.test(i),g=r&&!c&&(i?r.then:r.todo),f=typeof e=="string"&&i!==e&&(!r||
ou(e))&&e,y=s?su(s,o):[];return!i&&!g&&!f?null:a`<div class="hint">${i&&a`<${Wt} text=${i} />`}${i&&g&&(/[.!?]$/.test(i)?" ":". ")}${g&&a`<${nf} text=${g} onFix=${n} />`}
    ${(f||y.length>0)&&a`<${Ls}>${f&&a`<span>${f.split("`").map((M,v)=>v%2?a`<code>${M}</code>`:M)}</span>`}${y.map(M=>a`<code key=${M}>${M}</code>`)}<//>`}</div>`}
var Ls=({children:e})=>a`<details class="small terminal"><summary>In the terminal</summary>${e}</details>`,Sa=({children:e})=>a`<${Ls}><code>${e}</code><//>`;function nf({
text:e,onFix:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<button class="bare lane" onClick=${t}>Fix and replay</button>${s.join("Fi\
x and replay")}`}function fn({says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${Hn} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function le({level:e="",says:t,hint:n,of:s,onFix:o,letters:r,remedies:i,where:c,children:g}){
let f=a`<div><div class="says"><${Wt} text=${t} /></div>${c?n&&a`<div class="hint"><${Wt} text=${n} /></div>`:a`<${Hn} text=${n} of=${s} onFix=${o} letters=${r} remedies=${i} />`}${g}</div>`;
return c?a`<a class="callout ${e}" href=${c}>${f}</a>`:a`<div class="callout ${e}">${f}</div>`}function ht({result:e,children:t}){return e.data?a`${e.error&&!e.
lost&&a`<${fn} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${fn} says=${e.error} retry=${e.reload} />`:a`<div class="card"><${kn} /></div>`}var Ct=({
name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:i})=>{let c=a`<div class="name">${e}</div><div class="value ${r?"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&
a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${i}>${c}</a>`:a`<div class="figure" title=${i}>${c}</div>`};function On({value:e,
onText:t,label:n}){let[s,o]=I(e??""),r=Mt(0);return ke(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${i=>{o(i.target.
value),clearTimeout(r.current);let c=i.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Yn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,Ta=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,i,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${i!==void 0&&a` <small>${typeof i=="number"?j(i):i}</small>`}</button>`)}</div>`;
function Ke({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:i,ready:c=!0,children:g}){let f=Mt(null),[y,M]=I(!1),[v,S]=I("");return gr(i),ke(()=>{
let ne=document.activeElement,ce=f.current;return ce.showModal(),(ce.querySelector("[data-first]")??ce.querySelector("input,textarea,select"))?.focus(),()=>{ce.
close(),ne?.focus?.()}},[]),a`<dialog ref=${f} class=${o?"wide":""} aria-label=${e} onCancel=${ne=>{ne.preventDefault(),i()}}
      onMouseDown=${ne=>ne.target===f.current&&i()}>
    <form onSubmit=${async ne=>{if(ne.preventDefault(),!(y||!c)){M(!0),S("");try{await r(),i()}catch(ce){S(ce.message),M(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${g}${v&&a`<div class="callout bad" role="alert"><${Hn} text=${v} /></div>`}</div>
      <footer>
        <button type="button" onClick=${i}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${y||!c}>${y?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Pe=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,du=()=>{},Ve=(e,t)=>du({text:wr(
e)||e,bad:t,key:Math.random()});function cu(){let[e,t]=I([]);return du=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var uu=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},el=e=>{try{return localStorage.getItem(e)}catch{return null}},pu="(prefers-color-scheme: dark)",zs=()=>(document.
documentElement.dataset.theme??(matchMedia(pu).matches?"dark":"light"))==="dark";function xr(e){let t=matchMedia(pu);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function hu(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ns(){let e=zs()?"light":"dark";hu(e),uu("theme",e)}var yr=()=>document.documentElement.dataset.rows==="compa\
ct";function fu(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function kr(){fu(!yr()),uu("rows",yr()?"compac\
t":"roomy")}function mu(){el("theme")&&hu(el("theme")),fu(el("rows")==="compact")}var af=12,Da=e=>()=>{location.hash=e},sf=e=>[...wo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:Da("#/"+n)})),{name:"Backtest of rules",kind:"page",act:Da(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:Da("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:Da("#/audiences?only=problem\
s")},{name:zs()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ns},{name:Mn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>Ts(
!Mn())},{name:yr()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:kr},{name:"Keys",kind:"help",key:"?",act:e}];function $u({onClose:e,onHelp:t}){let n=Mt(
null),[s,o]=I(""),[r,i]=I(0),[c,g]=I([]);gr(e),ke(()=>{let v=document.activeElement;return n.current.showModal(),ra("/api/audiences").then(({audiences:S})=>g(W=>[
...W,...S.map(ne=>({name:ne.target,kind:"audience",act:Da(te("audiences",ne.target))}))]),()=>{}),ra("/api/campaigns").then(({campaigns:S})=>g(W=>[...W,...S.map(
ne=>({name:ne.code,kind:"campaign",act:Da(te("campaigns",ne.code))}))]),()=>{}),()=>v?.isConnected&&v.focus?.({preventScroll:!0})},[]);let f=an(()=>{let v=s.toLowerCase().
split(/\s+/).filter(Boolean),S=[...sf(t),...c].filter(W=>v.every(ne=>`${W.name} ${W.kind}`.toLowerCase().includes(ne))).slice(0,af);return/^\S+$/.test(s.trim())&&
S.push({name:`Open the job ${s.trim()}`,kind:"job",act:Da(te("jobs",s.trim()))}),s.trim()&&S.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:Da(
"#/jobs?text="+encodeURIComponent(s.trim()))}),S},[s,c]),y=v=>{e(),v?.act()},M=v=>{let S={ArrowDown:1,ArrowUp:-1}[v.key];S&&(v.preventDefault(),i((r+S+f.length)%
f.length)),v.key==="Enter"&&(v.preventDefault(),y(f[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${v=>{v.preventDefault(),e()}} onMouseDown=${v=>v.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${v=>{o(v.target.value),i(0)}} onKeyDown=${M} />
    <ul role="listbox" id="found" aria-label="Found">${f.map((v,S)=>a`<li role="option" id=${`found-${S}`} aria-selected=${S===r} onMouseMove=${()=>i(S)} onClick=${()=>y(
v)}><span>${v.name}</span><span class="faint small">${v.key?a`<kbd>${v.key}</kbd>`:v.kind}</span></li>`)}</ul>
  </dialog>`}var of=/Mac|iPhone|iPad/.test(navigator.platform),rf=[[of?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...wo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],lf=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),df=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function gu(e){
let t=df();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var cf=()=>document.querySelector("main .at input[type=checkbox]")?.click(),uf=()=>document.querySelector("main input[type=search]")?.focus();function bu(){let[
e,t]=I("");ke(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||lf(r)||document.querySelector("dialog[open]"))return;let i=Date.now()-s<1500&&wo.find(([g])=>g===r.key);if(s=0,i){location.hash="#/"+i[1];return}let c={
g:()=>{s=Date.now()},"/":uf,"?":()=>t("help"),j:()=>gu(1),k:()=>gu(-1),x:cf,z:kr,t:Ns,d:()=>Ts(!Mn())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${$u} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ke} title="Keys" onClose=${n}><dl class="facts keys">${rf.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function wu(e){let[t,n]=I(Date.now());ke(()=>{let W=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(W)},[]);let{state:s,heard:o,cut:r}=fr(),i=(s?.services??
[]).filter(W=>W.since),[c="",g]=e,f=c===""||c==="jobs"&&!g,y=c==="campaigns"?["NATS","Platform"]:["NATS"],M=i.filter(W=>y.includes(W.name)),v=s&&new Date(f&&!s.
figures.startsWith("0001")?s.figures:M.length?M[0].since:s.at),S=v?(new Date(s.at)-v+t-o)/1e3:0;return{state:s,lost:i,cut:r,heard:o,asOf:v,age:Math.max(0,S),stale:r||
M.length>0,well:!r&&i.length===0}}function yu({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:i}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(f=>f.name==="NATS"),g=f=>n||c&&f.name==="NATS writes"?"":f.since?"off":"on";return a`<div class="status">
      ${e.services.map(f=>a`<span key=${f.name} class="service ${g(f)}"><i></i>${f.name}<span class="sr">${{on:" works",off:" is lost"}[g(f)]??" unknown"}</span></span>`)}
      <span class="nowrap">${F(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest+Math.max(0,Date.now()-s)/1e3)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&zt(o)}>as of ${i?cn(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${vu} key="page" says=${`This page has no connection to usher since ${cn(s)}; figures are from ${cn(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(f=>a`<${vu} key=${f.name} hint=${f.hint} why=${f.why}
        says=${`${f.says} since ${cn(f.since)}${i?`; figures are from ${cn(o)}`:""}.`} />`)}
    </div>`}var vu=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${Hn} text=${n} />${t&&a`<div class="faint small"><${yt} text=${t} /></div>`}</div></div>`;function xu({why:e,onIn:t}){let[n,s]=I(""),[o,r]=I(!1),[i,c]=I(""),[g,f]=I(""),y=We.ways??[],M=async(S,W)=>{r(!0),s("");try{await Fe(S,W),await t()}catch(ne){s(
ne.message),r(!1)}},v=()=>{let{names:S}=An();return S[0]!=="login"||!S[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),M(
"/api/login/link",{Token:S[1]}),!0)};return ke(()=>(document.title="Log in · usher",window.addEventListener("hashchange",v),!v()&&y.includes("proxy")&&M("/api/\
login/proxy",{}),We.ways?.length||Ms().catch(S=>s(S.message)),()=>window.removeEventListener("hashchange",v)),[]),ke(()=>{if(We.absent!=="unread")return;let S=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(S)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${hn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${y.includes("password")&&a`<form onSubmit=${S=>{S.preventDefault(),M("/api/login",{User:i,Password:g})}}>
      <${Pe} name="Name"><input type="text" autocomplete="username" required autofocus value=${i} onInput=${S=>c(S.target.value)} /><//>
      <${Pe} name="Password"><input type="password" autocomplete="current-password" required value=${g} onInput=${S=>f(S.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${y.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${y.includes("proxy")&&a`<button disabled=${o} onClick=${()=>M("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function ca(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${j(t.added)}, −${j(t.removed)}, ${e.dryRun?"then":"now"} ${j(t.now)}`:e.new===void 0?
"":`+${j(e.new)} of ${j(e.accepted)} accepted`}var pf=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${j(n)} ${la(t)}`).join(", ");function Ws({r:e}){
let t=ca(e),n=pf(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var hf=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",i="left",c="right",g="#000",f=g+"0",y="mousemove",M="mousedown",v="mou\
seup",S="mouseenter",W="mouseleave",ne="dblclick",ce="change",Te="dppxchange",oe="--",Ye=typeof window<"u",qt=Ye?document:null,lt=Ye?window:null,ue=Ye?navigator:
null,$e,Ht;function St(l,u){if(u!=null){let $=l.classList;!$.contains(u)&&$.add(u)}}function ft(l,u){let $=l.classList;$.contains(u)&&$.remove(u)}function Ee(l,u,$){
l.style[u]=$+"px"}function Ot(l,u,$,p){let b=qt.createElement(l);return u!=null&&St(b,u),$?.insertBefore(b,p),b}function Yt(l,u){return Ot("div",l,u)}let Mo=new WeakMap;
function _n(l,u,$,p,b){let _="translate("+u+"px,"+$+"px)";_!=Mo.get(l)&&(l.style.transform=_,Mo.set(l,_),0>u||0>$||u>p||$>b?St(l,e):ft(l,e))}let eo=new WeakMap;
function Ao(l,u,$){let p=u+$;p!=eo.get(l)&&(eo.set(l,p),l.style.background=u,l.style.borderColor=$)}let to=new WeakMap;function ts(l,u,$,p){let b=u+""+$;b!=to.get(
l)&&(to.set(l,b),l.style.height=$+"px",l.style.width=u+"px",l.style.marginLeft=p?-u/2+"px":0,l.style.marginTop=p?-$/2+"px":0)}let ee={passive:!0},Zt={...ee,capture:!0};
function mn(l,u,$,p){u.addEventListener(l,$,p?Zt:ee)}function ns(l,u,$){u.removeEventListener(l,$,ee)}function En(l,u,$,p){let b;$=$||0;let _=2147483647>=(p=p||
u.length-1);for(;p-$>1;)b=_?$+p>>1:gn(($+p)/2),l>u[b]?$=b:p=b;return l-u[$]>u[p]-l?p:$}function Tl(l){return(u,$,p)=>{let b=-1,_=-1;for(let x=$;p>=x;x++)if(l(u[x])){
b=x;break}for(let x=p;x>=$;x--)if(l(u[x])){_=x;break}return[b,_]}}Ye&&(function l(){let u=devicePixelRatio;$e!=u&&($e=u,Ht&&ns(ce,Ht,l),Ht=matchMedia(`(min-reso\
lution: ${$e-.001}dppx) and (max-resolution: ${$e+.001}dppx)`),mn(ce,Ht,l),lt.dispatchEvent(new CustomEvent(Te)))})();let Dl=l=>l!=null,Rl=l=>l!=null&&l>0,Oo=Tl(
Dl),Mp=Tl(Rl);function Eo(l,u,$,p){let b=Ol(l),_=Ol(u);l==u&&(b==-1?(l*=$,u/=$):(l/=$,u*=$));let x=$==10?Xn:El,D=_==1?jn:gn,A=(b==1?gn:jn)(x(Tt(l))),R=D(x(Tt(u))),
E=as($,A),C=as($,R);return $==10&&(0>A&&(E=Xe(E,-A)),0>R&&(C=Xe(C,-R))),p||$==2?(l=E*b,u=C*_):(l=Wl(l,E),u=Fo(u,C)),[l,u]}function Ir(l,u,$,p){let b=Eo(l,u,$,p);
return l==0&&(b[0]=0),u==0&&(b[1]=0),b}let Pr=.1,Ml={mode:3,pad:Pr},no={pad:0,soft:null,mode:0},Ap={min:no,max:no};function Io(l,u,$,p){return Lo($)?Al(l,u,$):(no.
pad=$,no.soft=p?0:null,no.mode=p?3:0,Al(l,u,Ap))}function ze(l,u){return l??u}function Al(l,u,$){let p=$.min,b=$.max,_=ze(p.pad,0),x=ze(b.pad,0),D=ze(p.hard,-Ze),
A=ze(b.hard,Ze),R=ze(p.soft,Ze),E=ze(b.soft,-Ze),C=ze(p.mode,0),q=ze(b.mode,0),Y=u-l,B=Xn(Y),V=sn(Tt(l),Tt(u)),ye=Xn(V),pe=Tt(ye-B);(1e-24>Y||pe>10)&&(Y=0,l!=0&&
u!=0||(Y=1e-24,C==2&&R!=Ze&&(_=0),q==2&&E!=-Ze&&(x=0)));let H=Y||V||1e3,ve=Xn(H),G=as(10,gn(ve)),ae=Xe(Wl(l-H*(Y==0?l==0?.1:1:_),G/10),24),J=R>l||C!=1&&(C!=3||ae>
R)&&(C!=2||R>ae)?Ze:R,_e=sn(D,J>ae&&l>=J?J:In(J,ae)),je=Xe(Fo(u+H*(Y==0?u==0?.1:1:x),G/10),24),Re=u>E||q!=1&&(q!=3||E>je)&&(q!=2||je>E)?-Ze:E,Ae=In(A,je>Re&&Re>=
u?Re:sn(Re,je));return _e==Ae&&_e==0&&(Ae=100),[_e,Ae]}let Op=new Intl.NumberFormat(Ye?ue.language:"en-US"),Fr=l=>Op.format(l),$n=Math,Po=$n.PI,Tt=$n.abs,gn=$n.
floor,Dt=$n.round,jn=$n.ceil,In=$n.min,sn=$n.max,as=$n.pow,Ol=$n.sign,Xn=$n.log10,El=$n.log2,Lr=(l,u=1)=>$n.asinh(l/u),Ze=1/0;function Il(l){return 1+(0|Xn((l^l>>
31)-(l>>31)))}function zr(l,u,$){return In(sn(l,u),$)}function Pl(l){return typeof l=="function"}function Ie(l){return Pl(l)?l:()=>l}let Fl=l=>l,Ll=(l,u)=>u,Ep=()=>null,
zl=()=>!0,Nl=(l,u)=>l==u,Ip=/\.\d*?(?=9{6,}|0{6,})/gm,Ia=l=>{if(Hl(l)||ua.has(l))return l;let u=""+l,$=u.match(Ip);if($==null)return l;let p=$[0].length-1;if(u.
indexOf("e-")!=-1){let[b,_]=u.split("e");return+`${Ia(b)}e${_}`}return Xe(l,p)};function Pa(l,u){return Ia(Xe(Ia(l/u))*u)}function Fo(l,u){return Ia(jn(Ia(l/u))*
u)}function Wl(l,u){return Ia(gn(Ia(l/u))*u)}function Xe(l,u=0){if(Hl(l))return l;let $=10**u;return Dt(l*$*(1+Number.EPSILON))/$}let ua=new Map;function ql(l){
return((""+l).split(".")[1]||"").length}function ao(l,u,$,p){let b=[],_=p.map(ql);for(let x=u;$>x;x++){let D=Tt(x),A=Xe(as(l,x),D);for(let R=0;p.length>R;R++){let E=l==
10?+`${p[R]}e${x}`:p[R]*A,C=(0>x?D:0)+(_[R]>x?_[R]:0),q=l==10?E:Xe(E,C);b.push(q),ua.set(q,C)}}return b}let so={},Nr=[],ss=[null,null],pa=Array.isArray,Hl=Number.
isInteger;function Ul(l){return typeof l=="string"}function Lo(l){let u=!1;if(l!=null){let $=l.constructor;u=$==null||$==Object}return u}function Pp(l){return l!=
null&&typeof l=="object"}let Fp=Object.getPrototypeOf(Uint8Array),Bl="__proto__";function os(l,u=Lo){let $;if(pa(l)){let p=l.find((b=>b!=null));if(pa(p)||u(p)){
$=Array(l.length);for(let b=0;l.length>b;b++)$[b]=os(l[b],u)}else $=l.slice()}else if(l instanceof Fp)$=l.slice();else if(u(l)){$={};for(let p in l)p!=Bl&&($[p]=
os(l[p],u))}else $=l;return $}function xt(l){let u=arguments;for(let $=1;u.length>$;$++){let p=u[$];for(let b in p)b!=Bl&&(Lo(l[b])?xt(l[b],os(p[b])):l[b]=os(p[b]))}
return l}function Lp(l,u,$){for(let p,b=0,_=-1;u.length>b;b++){let x=u[b];if(x>_){for(p=x-1;p>=0&&l[p]==null;)l[p--]=null;for(p=x+1;$>p&&l[p]==null;)l[_=p++]=null}}}
let zp=typeof queueMicrotask>"u"?l=>Promise.resolve().then(l):queueMicrotask,Jl=["January","February","March","April","May","June","July","August","September","\
October","November","December"],Gl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Kl(l){return l.slice(0,3)}let Np=Gl.map(Kl),
Wp=Jl.map(Kl),qp={MMMM:Jl,MMM:Wp,WWWW:Gl,WWW:Np};function oo(l){return(10>l?"0":"")+l}let Hp={YYYY:l=>l.getFullYear(),YY:l=>(l.getFullYear()+"").slice(2),MMMM:(l,u)=>u.
MMMM[l.getMonth()],MMM:(l,u)=>u.MMM[l.getMonth()],MM:l=>oo(l.getMonth()+1),M:l=>l.getMonth()+1,DD:l=>oo(l.getDate()),D:l=>l.getDate(),WWWW:(l,u)=>u.WWWW[l.getDay()],
WWW:(l,u)=>u.WWW[l.getDay()],HH:l=>oo(l.getHours()),H:l=>l.getHours(),h:l=>{let u=l.getHours();return u==0?12:u>12?u-12:u},AA:l=>12>l.getHours()?"AM":"PM",aa:l=>12>
l.getHours()?"am":"pm",a:l=>12>l.getHours()?"a":"p",mm:l=>oo(l.getMinutes()),m:l=>l.getMinutes(),ss:l=>oo(l.getSeconds()),s:l=>l.getSeconds(),fff:l=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(l.getMilliseconds())};function Wr(l,u){u=u||qp;let $,p=[],b=/\{([a-z]+)\}|[^{]+/gi;for(;$=b.exec(l);)p.push($[0][0]=="{"?Hp[$[1]]:
$[0]);return _=>{let x="";for(let D=0;p.length>D;D++)x+=typeof p[D]=="string"?p[D]:p[D](_,u);return x}}let Up=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Vl=l=>l%1==0,zo=[1,2,2.5,5],Bp=ao(10,-32,0,zo),Yl=ao(10,0,32,zo),Jp=Yl.filter(Vl),Fa=Bp.concat(Yl),Zl="{YYYY}",Xl=`
`+Zl,Ql="{M}/{D}",ro=`
`+Ql,No=ro+"/{YY}",ed="{aa}",rs="{h}:{mm}"+ed,td=`
`+rs,nd=":{ss}",Be=null;function ad(l){let u=1e3*l,$=60*u,p=60*$,b=24*p,_=30*b,x=365*b;return[(l==1?ao(10,0,3,zo).filter(Vl):ao(10,-3,0,zo)).concat([u,5*u,10*u,
15*u,30*u,$,5*$,10*$,15*$,30*$,p,2*p,3*p,4*p,6*p,8*p,12*p,b,2*b,3*b,4*b,5*b,6*b,7*b,8*b,9*b,10*b,15*b,_,2*_,3*_,4*_,6*_,x,2*x,5*x,10*x,25*x,50*x,100*x]),[[x,Zl,
Be,Be,Be,Be,Be,Be,1],[28*b,"{MMM}",Xl,Be,Be,Be,Be,Be,1],[b,Ql,Xl,Be,Be,Be,Be,Be,1],[p,"{h}"+ed,No,Be,ro,Be,Be,Be,1],[$,rs,No,Be,ro,Be,Be,Be,1],[u,nd,No+" "+rs,Be,
ro+" "+rs,Be,td,Be,1],[l,nd+".{fff}",No+" "+rs,Be,ro+" "+rs,Be,td,Be,1]],function(D){return(A,R,E,C,q,Y)=>{let B=[],V=q>=x,ye=q>=_&&x>q,pe=D(E),H=Xe(pe*l,3),ve=qr(
pe.getFullYear(),V?0:pe.getMonth(),ye||V?1:pe.getDate()),G=Xe(ve*l,3);if(ye||V){let ae=ye?q/_:0,J=V?q/x:0,_e=H==G?H:Xe(qr(ve.getFullYear()+J,ve.getMonth()+ae,1)*
l,3),je=new Date(Dt(_e/l)),Re=je.getFullYear(),Ae=je.getMonth();for(let Z=0;C>=_e;Z++){let ie=qr(Re+J*Z,Ae+ae*Z,1),me=ie-D(Xe(ie*l,3));_e=Xe((+ie+me)*l,3),_e>C||
B.push(_e)}}else{let ae=b>q?q:b,J=G+(gn(E)-gn(H))+Fo(H-G,ae);B.push(J);let _e=D(J),je=_e.getHours()+_e.getMinutes()/$+_e.getSeconds()/p,Re=q/p,Ae=Y/A.axes[R]._space;
for(;J=Xe(J+q,l==1?0:3),C>=J;)if(Re>1){let Z=gn(Xe(je+Re,6))%24,ie=D(J).getHours()-Z;ie>1&&(ie=-1),J-=ie*p,je=(je+Re)%24,.7>Xe((J-B[B.length-1])/q,3)*Ae||B.push(
J)}else B.push(J)}return B}}]}let[Gp,Kp,Vp]=ad(1),[Yp,Zp,Xp]=ad(.001);function sd(l,u){return l.map(($=>$.map(((p,b)=>b==0||b==8||p==null?p:u(b==1||$[8]==0?p:$[1]+
p)))))}function od(l,u){return($,p,b,_,x)=>{let D,A,R,E,C,q,Y=u.find((B=>x>=B[0]))||u[u.length-1];return p.map((B=>{let V=l(B),ye=V.getFullYear(),pe=V.getMonth(),
H=V.getDate(),ve=V.getHours(),G=V.getMinutes(),ae=V.getSeconds(),J=ye!=D&&Y[2]||pe!=A&&Y[3]||H!=R&&Y[4]||ve!=E&&Y[5]||G!=C&&Y[6]||ae!=q&&Y[7]||Y[1];return D=ye,
A=pe,R=H,E=ve,C=G,q=ae,J(V)}))}}function qr(l,u,$){return new Date(l,u,$)}function rd(l,u){return u(l)}function id(l,u){return($,p,b,_)=>_==null?oe:u(l(p))}ao(2,
-53,53,[1]);let Qp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(l,u){let $=l.series[u];return $.width?$.stroke(l,u):$.points.
width?$.points.stroke(l,u):null},fill:function(l,u){return l.series[u].fill(l,u)},dash:"solid"},idx:null,idxs:null,values:[]},Hr=[0,0];function Wo(l,u,$,p=!0){return b=>{
b.button==0&&(!p||b.target==u)&&$(b)}}function Ur(l,u,$,p=!0){return b=>{(!p||b.target==u)&&$(b)}}let eh={show:!0,x:!0,y:!0,lock:!1,move:function(l,u,$){return Hr[0]=
u,Hr[1]=$,Hr},points:{one:!1,show:function(l,u){let $=l.cursor.points,p=Yt(),b=$.size(l,u);Ee(p,n,b),Ee(p,s,b);let _=b/-2;Ee(p,"marginLeft",_),Ee(p,"marginTop",
_);let x=$.width(l,u,b);return x&&Ee(p,"borderWidth",x),p},size:function(l,u){return l.series[u].points.size},width:0,stroke:function(l,u){let $=l.series[u].points;
return $._stroke||$._fill},fill:function(l,u){let $=l.series[u].points;return $._fill||$._stroke}},bind:{mousedown:Wo,mouseup:Wo,click:Wo,dblclick:Wo,mousemove:Ur,
mouseleave:Ur,mouseenter:Ur},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(l,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(l,u,$,p,b)=>p-
b,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ld={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Br=xt({},ld,{filter:Ll}),dd=xt({},Br,{size:10}),cd=xt({},ld,{show:!1}),Jr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',ud="bold "+Jr,pd={show:!0,scale:"x",stroke:g,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:ud,side:2,grid:Br,ticks:dd,border:cd,font:Jr,lineGap:1.5,rotate:0},hd={show:!0,scale:"x",auto:!1,sorted:1,min:Ze,max:-Ze,
idxs:[]};function th(l,u){return u.map(($=>$==null?"":Fr($)))}function nh(l,u,$,p,b,_,x){let D=[],A=ua.get(b)||0;for(let R=$=x?$:Xe(Fo($,b),A);p>=R;R=Xe(R+b,A))
D.push(Object.is(R,-0)?0:R);return D}function Gr(l,u,$,p,b){let _=[],x=l.scales[l.axes[u].scale].log,D=gn((x==10?Xn:El)($));b=as(x,D),x==10&&(b=Fa[En(b,Fa)]);let A=$,
R=b*x;x==10&&(R=Fa[En(R,Fa)]);do _.push(A),A+=b,x!=10||ua.has(A)||(A=Xe(A,ua.get(b))),R>A||(R=(b=A)*x,x==10&&(R=Fa[En(R,Fa)]));while(p>=A);return _}function ah(l,u,$,p,b){
let _=l.scales[l.axes[u].scale].asinh,x=p>_?Gr(l,u,sn(_,$),p,b):[_],D=0>p||$>0?[]:[0];return(-_>$?Gr(l,u,sn(_,-p),-$,b):[_]).reverse().map((A=>-A)).concat(D,x)}
let fd=/./,sh=/[12357]/,oh=/[125]/,md=/1/,Kr=(l,u,$,p)=>l.map(((b,_)=>u==4&&b==0||_%p==0&&$.test(b.toExponential()[0>b?1:0])?b:null));function rh(l,u,$){let p=l.
axes[$],b=p.scale,_=l.scales[b],x=l.valToPos,D=p._space,A=x(10,b),R=x(9,b)-A<D?x(7,b)-A<D?x(5,b)-A<D?md:oh:sh:fd;if(R==md){let E=Tt(x(1,b)-A);if(D>E)return Kr(u.
slice().reverse(),_.distr,R,jn(D/E)).reverse()}return Kr(u,_.distr,R,1)}function ih(l,u,$){let p=l.axes[$],b=p.scale,_=p._space,x=l.valToPos,D=Tt(x(1,b)-x(2,b));
return _>D?Kr(u.slice().reverse(),3,fd,jn(_/D)).reverse():u}function lh(l,u,$,p){return p==null?oe:u==null?"":Fr(u)}let $d={show:!0,scale:"y",stroke:g,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:ud,side:3,grid:Br,ticks:dd,border:cd,font:Jr,lineGap:1.5,rotate:0},gd={scale:null,auto:!0,sorted:0,min:Ze,
max:-Ze},bd=(l,u,$,p,b)=>b,vd={show:!0,auto:!0,sorted:0,gaps:bd,alpha:1,facets:[xt({},gd,{scale:"x"}),xt({},gd,{scale:"y"})]},wd={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:bd,alpha:1,points:{show:function(l,u){let{scale:$,idxs:p}=l.series[0],b=l._data[0],_=l.valToPos(b[p[0]],$,!0),x=l.valToPos(b[p[1]],$,!0);return Tt(
x-_)/(l.series[u].points.space*$e)>=p[1]-p[0]},filter:null},values:null,min:Ze,max:-Ze,idxs:[],path:null,clip:null};function dh(l,u,$){return $/10}let yd={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},ch=xt({},yd,{time:!1,ori:1}),xd={};function kd(l){let u=xd[l];return u||(u={key:l,plots:[],sub($){
u.plots.push($)},unsub($){u.plots=u.plots.filter((p=>p!=$))},pub($,p,b,_,x,D,A){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub($,p,b,_,x,D,A)}},
l!=null&&(xd[l]=u)),u}function La(l,u,$){let p=l.mode,b=l.series[u],_=p==2?l._data[u]:l._data,x=l.scales,D=l.bbox,A=_[0],R=p==2?_[1]:_[u],E=p==2?x[b.facets[0].scale]:
x[l.series[0].scale],C=p==2?x[b.facets[1].scale]:x[b.scale],q=D.left,Y=D.top,B=D.width,V=D.height,ye=l.valToPosH,pe=l.valToPosV;return E.ori==0?$(b,A,R,E,C,ye,pe,
q,Y,B,V,Ho,is,Bo,Cd,Td):$(b,A,R,E,C,pe,ye,Y,q,V,B,Uo,ls,Zr,Sd,Dd)}function Vr(l,u){let $=0,p=0,b=ze(l.bands,Nr);for(let _=0;b.length>_;_++){let x=b[_];x.series[0]==
u?$=x.dir:x.series[1]==u&&(p|=x.dir==1?1:2)}return[$,p==1?-1:p==2?1:p==3?2:0]}function uh(l,u,$,p,b){let _=l.series[u],x=l.scales[l.mode==2?_.facets[1].scale:_.
scale];return b==-1?x.min:b==1?x.max:x.distr==3?x.dir==1?x.min:x.max:0}function Qn(l,u,$,p,b,_){return La(l,u,((x,D,A,R,E,C,q,Y,B,V,ye)=>{let pe=x.pxRound,H=R.ori==
0?is:ls,ve,G;R.dir*(R.ori==0?1:-1)==1?(ve=$,G=p):(ve=p,G=$);let ae=pe(C(D[ve],R,V,Y)),J=pe(q(A[ve],E,ye,B)),_e=pe(C(D[G],R,V,Y)),je=pe(q(_==1?E.max:E.min,E,ye,B)),
Re=new Path2D(b);return H(Re,_e,je),H(Re,ae,je),H(Re,ae,J),Re}))}function qo(l,u,$,p,b,_){let x=null;if(l.length>0){x=new Path2D;let D=u==0?Bo:Zr,A=$;for(let C=0;l.
length>C;C++){let q=l[C];if(q[1]>q[0]){let Y=q[0]-A;Y>0&&D(x,A,p,Y,p+_),A=q[1]}}let R=$+b-A,E=10;R>0&&D(x,A,p-E/2,R,p+_+E)}return x}function Yr(l,u,$,p,b,_,x){let D=[],
A=l.length;for(let R=b==1?$:p;R>=$&&p>=R;R+=b)if(u[R]===null){let E=R,C=R;if(b==1)for(;++R<=p&&u[R]===null;)C=R;else for(;--R>=$&&u[R]===null;)C=R;let q=_(l[E]),
Y=C==E?q:_(l[C]),B=E-b;q=x>0||0>B||B>=A?q:_(l[B]);let V=C+b;Y=0>x||0>V||V>=A?Y:_(l[V]),q>Y||D.push([q,Y])}return D}function _d(l){return l==0?Fl:l==1?Dt:u=>Pa(u,
l)}function jd(l){let u=l==0?Ho:Uo,$=l==0?(b,_,x,D,A,R)=>{b.arcTo(_,x,D,A,R)}:(b,_,x,D,A,R)=>{b.arcTo(x,_,A,D,R)},p=l==0?(b,_,x,D,A)=>{b.rect(_,x,D,A)}:(b,_,x,D,A)=>{
b.rect(x,_,A,D)};return(b,_,x,D,A,R=0,E=0)=>{R==0&&E==0?p(b,_,x,D,A):(R=In(R,D/2,A/2),E=In(E,D/2,A/2),u(b,_+R,x),$(b,_+D,x,_+D,x+A,R),$(b,_+D,x+A,_,x+A,E),$(b,_,
x+A,_,x,E),$(b,_,x,_+D,x,R),b.closePath())}}let Ho=(l,u,$)=>{l.moveTo(u,$)},Uo=(l,u,$)=>{l.moveTo($,u)},is=(l,u,$)=>{l.lineTo(u,$)},ls=(l,u,$)=>{l.lineTo($,u)},
Bo=jd(0),Zr=jd(1),Cd=(l,u,$,p,b,_)=>{l.arc(u,$,p,b,_)},Sd=(l,u,$,p,b,_)=>{l.arc($,u,p,b,_)},Td=(l,u,$,p,b,_,x)=>{l.bezierCurveTo(u,$,p,b,_,x)},Dd=(l,u,$,p,b,_,x)=>{
l.bezierCurveTo($,u,b,p,x,_)};function Rd(){return(l,u,$,p,b)=>La(l,u,((_,x,D,A,R,E,C,q,Y,B,V)=>{let ye,pe,{pxRound:H,points:ve}=_;A.ori==0?(ye=Ho,pe=Cd):(ye=Uo,
pe=Sd);let G=Xe(ve.width*$e,3),ae=(ve.size-ve.width)/2*$e,J=Xe(2*ae,3),_e=new Path2D,je=new Path2D,{left:Re,top:Ae,width:Z,height:ie}=l.bbox;Bo(je,Re-J,Ae-J,Z+2*
J,ie+2*J);let me=Ne=>{if(D[Ne]!=null){let he=H(E(x[Ne],A,B,q)),Oe=H(C(D[Ne],R,V,Y));ye(_e,he+ae,Oe),pe(_e,he,Oe,ae,0,2*Po)}};if(b)b.forEach(me);else for(let Ne=$;p>=
Ne;Ne++)me(Ne);return{stroke:G>0?_e:null,fill:_e,clip:je,flags:3}}))}function Md(l){return(u,$,p,b,_,x)=>{p!=b&&(_!=p&&x!=p&&l(u,$,p),_!=b&&x!=b&&l(u,$,b),l(u,$,
x))}}let ph=Md(is),hh=Md(ls);function Ad(l){let u=ze(l?.alignGaps,0);return($,p,b,_)=>La($,p,((x,D,A,R,E,C,q,Y,B,V,ye)=>{[b,_]=Oo(A,b,_);let pe,H,ve=x.pxRound,G=ie=>ve(
C(ie,R,V,Y)),ae=ie=>ve(q(ie,E,ye,B));R.ori==0?(pe=is,H=ph):(pe=ls,H=hh);let J=R.dir*(R.ori==0?1:-1),_e={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},je=_e.stroke,Re=!1;if(_-b<4*V)for(let ie=J==1?b:_;ie>=b&&_>=ie;ie+=J){let me=A[ie];me===null?Re=!0:me!=null&&pe(je,G(D[ie]),ae(me))}else{let ie,me,Ne,he=de=>$.
posToVal(de,R.key,!0),Oe=null,dt=null,Rt=G(D[J==1?b:_]),Qe=G(D[b]),Ut=G(D[_]),Me=he(J==1?Qe+1:Ut-1);for(let de=J==1?b:_;de>=b&&_>=de;de+=J){let se=D[de],ct=(J==
1?Me>se:se>Me)?Rt:G(se),mt=A[de];ct==Rt?mt!=null?(me=mt,Oe==null?(pe(je,ct,ae(me)),ie=Oe=dt=me):Oe>me?Oe=me:me>dt&&(dt=me)):mt===null&&(Re=!0):(Oe!=null&&H(je,Rt,
ae(Oe),ae(dt),ae(ie),ae(me)),mt!=null?(me=mt,pe(je,ct,ae(me)),Oe=dt=ie=me):(Oe=dt=null,mt===null&&(Re=!0)),Rt=ct,Me=he(Rt+J))}Oe!=null&&Oe!=dt&&Ne!=Rt&&H(je,Rt,
ae(Oe),ae(dt),ae(ie),ae(me))}let[Ae,Z]=Vr($,p);if(x.fill!=null||Ae!=0){let ie=_e.fill=new Path2D(je),me=ae(x.fillTo($,p,x.min,x.max,Ae)),Ne=G(D[b]),he=G(D[_]);J==
-1&&([he,Ne]=[Ne,he]),pe(ie,he,me),pe(ie,Ne,me)}if(!x.spanGaps){let ie=[];Re&&ie.push(...Yr(D,A,b,_,J,G,u)),_e.gaps=ie=x.gaps($,p,b,_,ie),_e.clip=qo(ie,R.ori,Y,
B,V,ye)}return Z!=0&&(_e.band=Z==2?[Qn($,p,b,_,je,-1),Qn($,p,b,_,je,1)]:Qn($,p,b,_,je,Z)),_e}))}function Od(l,u,$,p,b,_,x=Ze){if(l.length>1){let D=null;for(let A=0,
R=1/0;l.length>A;A++)if(u[A]!==void 0){if(D!=null){let E=Tt(l[A]-l[D]);R>E&&(R=E,x=Tt($(l[A],p,b,_)-$(l[D],p,b,_)))}D=A}}return x}function fh(l,u,$,p,b){let _=l.
length;if(2>_)return null;let x=new Path2D;if($(x,l[0],u[0]),_==2)p(x,l[1],u[1]);else{let D=Array(_),A=Array(_-1),R=Array(_-1),E=Array(_-1);for(let C=0;_-1>C;C++)
R[C]=u[C+1]-u[C],E[C]=l[C+1]-l[C],A[C]=R[C]/E[C];D[0]=A[0];for(let C=1;_-1>C;C++)A[C]===0||A[C-1]===0||A[C-1]>0!=A[C]>0?D[C]=0:(D[C]=3*(E[C-1]+E[C])/((2*E[C]+E[C-
1])/A[C-1]+(E[C]+2*E[C-1])/A[C]),isFinite(D[C])||(D[C]=0));D[_-1]=A[_-2];for(let C=0;_-1>C;C++)b(x,l[C]+E[C]/3,u[C]+D[C]*E[C]/3,l[C+1]-E[C]/3,u[C+1]-D[C+1]*E[C]/
3,l[C+1],u[C+1])}return x}let Xr=new Set;function Ed(){for(let l of Xr)l.syncRect(!0)}Ye&&(mn("resize",lt,Ed),mn("scroll",lt,Ed,!0),mn(Te,lt,(()=>{Xt.pxRatio=$e})));
let mh=Ad(),$h=Rd();function Id(l,u,$,p){return(p?[l[0],l[1]].concat(l.slice(2)):[l[0]].concat(l.slice(1))).map(((b,_)=>Qr(b,_,u,$)))}function Qr(l,u,$,p){return xt(
{},u==0?$:p,l)}function Pd(l,u,$){return u==null?ss:[u,$]}let gh=Pd;function bh(l,u,$){return u==null?ss:Io(u,$,Pr,!0)}function Fd(l,u,$,p){return u==null?ss:Eo(
u,$,l.scales[p].log,!1)}let vh=Fd;function Ld(l,u,$,p){return u==null?ss:Ir(u,$,l.scales[p].log,!1)}let wh=Ld;function yh(l,u,$,p,b){let _=sn(Il(l),Il(u)),x=u-l,
D=En(b/p*x,$);do{let A=$[D],R=p*A/x;if(R>=b&&17>=_+(5>A?ua.get(A):0))return[A,R]}while(++D<$.length);return[0,0]}function zd(l){let u,$;return[l=l.replace(/(\d+)px/,
((p,b)=>(u=Dt(($=+b)*$e))+"px")),u,$]}function xh(l){l.show&&[l.font,l.labelFont].forEach((u=>{let $=Xe(u[2]*$e,1);u[0]=u[0].replace(/[0-9.]+px/,$+"px"),u[1]=$}))}
function Xt(l,u,$){let p={mode:ze(l.mode,1)},b=p.mode;function _(d,h,m,w){let k=h.valToPct(d);return w+m*(h.dir==-1?1-k:k)}function x(d,h,m,w){let k=h.valToPct(
d);return w+m*(h.dir==-1?k:1-k)}function D(d,h,m,w){return h.ori==0?_(d,h,m,w):x(d,h,m,w)}p.valToPosH=_,p.valToPosV=x;let A=!1;p.status=0;let R=p.root=Yt("uplot");
l.id!=null&&(R.id=l.id),St(R,l.class),l.title&&(Yt("u-title",R).textContent=l.title);let E=Ot("canvas"),C=p.ctx=E.getContext("2d"),q=Yt("u-wrap",R);mn("click",q,
(d=>{d.target===B&&(at!=xs||ut!=ks)&&Gt.click(p,d)}),!0);let Y=p.under=Yt("u-under",q);q.appendChild(E);let B=p.over=Yt("u-over",q),V=+ze((l=os(l)).pxAlign,1),ye=_d(
V);(l.plugins||[]).forEach((d=>{d.opts&&(l=d.opts(p,l)||l)}));let pe=l.ms||.001,H=p.series=b==1?Id(l.series||[],hd,wd,!1):(function(d,h){return d.map(((m,w)=>w==
0?{}:xt({},h,m)))})(l.series||[null],vd),ve=p.axes=Id(l.axes||[],pd,$d,!0),G=p.scales={},ae=p.bands=l.bands||[];ae.forEach((d=>{d.fill=Ie(d.fill||null),d.dir=ze(
d.dir,-1)}));let J=b==2?H[1].facets[0].scale:H[0].scale,_e={axes:function(){for(let d=0;ve.length>d;d++){let h=ve[d];if(!h.show||!h._show)continue;let m,w,k=h.side,
T=k%2,O=h.stroke(p,d),P=k==0||k==3?-1:1,[L,z]=h._found;if(h.label!=null){let rt=Dt((h._lpos+h.labelGap*P)*$e);Jd(h.labelFont[0],O,"center",k==2?"top":r),C.save(),
T==1?(m=w=0,C.translate(rt,Dt(rn+qa/2)),C.rotate((k==3?-Po:Po)/2)):(m=Dt(Sn+Ln/2),w=rt);let nn=Pl(h.label)?h.label(p,d,L,z):h.label;C.fillText(nn,m,w),C.restore()}
if(z==0)continue;let U=G[h.scale],re=T==0?Ln:qa,Le=T==0?Sn:rn,xe=h._splits,be=U.distr==2?xe.map((rt=>zn[rt])):xe,we=U.distr==2?zn[xe[1]]-zn[xe[0]]:L,N=h.ticks,fe=h.
border,He=N.show?N.size:0,vt=Dt(He*$e),ot=Dt((h.alignTo==2?h._size-He-h.gap:h.gap)*$e),Je=h._rotate*-Po/180,Kt=ye(h._pos*$e),en=Kt+(vt+ot)*P;w=T==0?en:0,m=T==1?
en:0,Jd(h.font[0],O,h.align==1?i:h.align==2?c:Je>0?i:0>Je?c:T==0?"center":k==3?c:i,Je||T==1?"middle":k==2?"top":r);let tn=h.font[1]*h.lineGap,$t=xe.map((rt=>ye(
D(rt,U,re,Le)))),wn=h._values;for(let rt=0;wn.length>rt;rt++){let nn=wn[rt];if(nn!=null){T==0?m=$t[rt]:w=$t[rt],nn=""+nn;let dn=nn.indexOf(`
`)==-1?[nn]:nn.split(/\n/gm);for(let Rn=0;dn.length>Rn;Rn++){let aa=dn[Rn];Je?(C.save(),C.translate(m,w+Rn*tn),C.rotate(Je),C.fillText(aa,0,0),C.restore()):C.fillText(
aa,m,w+Rn*tn)}}}N.show&&pi($t,N.filter(p,be,d,z,we),T,k,Kt,vt,Xe(N.width*$e,3),N.stroke(p,d),N.dash,N.cap);let _t=h.grid;_t.show&&pi($t,_t.filter(p,be,d,z,we),T,
T==0?2:1,T==0?rn:Sn,T==0?qa:Ln,Xe(_t.width*$e,3),_t.stroke(p,d),_t.dash,_t.cap),fe.show&&pi([Kt],[1],T==0?1:0,T==0?1:2,T==1?rn:Sn,T==1?qa:Ln,Xe(fe.width*$e,3),fe.
stroke(p,d),fe.dash,fe.cap)}Lt("drawAxes")},series:function(){if(Jt>0){let d=H.some((h=>h._focus))&&ln!=Un.alpha;d&&(C.globalAlpha=ln=Un.alpha),H.forEach(((h,m)=>{
if(m>0&&h.show&&(Kd(m,!1),Kd(m,!0),h._paths==null)){let w=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha);let k=b==2?[0,u[m][0].length-1]:(function(T){let O=zr(Et-1,
0,Jt-1),P=zr(It+1,0,Jt-1);for(;T[O]==null&&O>0;)O--;for(;T[P]==null&&Jt-1>P;)P++;return[O,P]})(u[m]);h._paths=h.paths(p,m,k[0],k[1]),ln!=w&&(C.globalAlpha=ln=w)}})),
H.forEach(((h,m)=>{if(m>0&&h.show){let w=ln;ln!=h.alpha&&(C.globalAlpha=ln=h.alpha),h._paths!=null&&Vd(m,!1);{let k=h._paths!=null?h._paths.gaps:null,T=h.points.
show(p,m,Et,It,k),O=h.points.filter(p,m,T,k);(T||O)&&(h.points._paths=h.points.paths(p,m,Et,It,O),Vd(m,!0))}ln!=w&&(C.globalAlpha=ln=w),Lt("drawSeries",m)}})),d&&
(C.globalAlpha=ln=1)}}},je=(l.drawOrder||["axes","series"]).map((d=>_e[d]));function Re(d){let h=d.distr==3?m=>Xn(m>0?m:d.clamp(p,m,d.min,d.max,d.key)):d.distr==
4?m=>Lr(m,d.asinh):d.distr==100?m=>d.fwd(m):m=>m;return m=>{let w=h(m),{_min:k,_max:T}=d;return(w-k)/(T-k)}}function Ae(d){let h=G[d];if(h==null){let m=(l.scales||
so)[d]||so;if(m.from!=null){Ae(m.from);let w=xt({},G[m.from],m,{key:d});w.valToPct=Re(w),G[d]=w}else{h=G[d]=xt({},d==J?yd:ch,m),h.key=d;let w=h.time,k=h.range,T=pa(
k);if((d!=J||b==2&&!w)&&(!T||k[0]!=null&&k[1]!=null||(k={min:k[0]==null?Ml:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?Ml:{mode:1,hard:k[1],soft:k[1]}},T=!1),!T&&
Lo(k))){let O=k;k=(P,L,z)=>L==null?ss:Io(L,z,O)}h.range=Ie(k||(w?gh:d==J?h.distr==3?vh:h.distr==4?wh:Pd:h.distr==3?Fd:h.distr==4?Ld:bh)),h.auto=Ie(!T&&h.auto),h.
clamp=Ie(h.clamp||dh),h._min=h._max=null,h.valToPct=Re(h)}}}Ae("x"),Ae("y"),b==1&&H.forEach((d=>{Ae(d.scale)})),ve.forEach((d=>{Ae(d.scale)}));for(let d in l.scales)
Ae(d);let Z=G[J],ie=Z.distr,me,Ne;Z.ori==0?(St(R,"u-hz"),me=_,Ne=x):(St(R,"u-vt"),me=x,Ne=_);let he={};for(let d in G){let h=G[d];h.min==null&&h.max==null||(he[d]=
{min:h.min,max:h.max},h.min=h.max=null)}let Oe=l.tzDate||(d=>new Date(Dt(d/pe))),dt=l.fmtDate||Wr,Rt=pe==1?Vp(Oe):Xp(Oe),Qe=od(Oe,sd(pe==1?Kp:Zp,dt)),Ut=id(Oe,rd(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",dt)),Me=[],de=p.legend=xt({},Qp,l.legend),se=p.cursor=xt({},eh,{drag:{y:b==2}},l.cursor),ct=de.show,mt=se.show,gt=de.markers,Pn,
ds,bn;de.idxs=Me,gt.width=Ie(gt.width),gt.dash=Ie(gt.dash),gt.stroke=Ie(gt.stroke),gt.fill=Ie(gt.fill);let bt,vn=[],ha=[],Cn=!1,fa={};if(de.live){let d=H[1]?H[1].
values:null;Cn=d!=null,bt=Cn?d(p,1,0):{_:0};for(let h in bt)fa[h]=oe}if(ct)if(Pn=Ot("table","u-legend",R),bn=Ot("tbody",null,Pn),de.mount(p,Pn),Cn){ds=Ot("thead",
null,Pn,bn);let d=Ot("tr",null,ds);for(var cs in Ot("th",null,d),bt)Ot("th",t,d).textContent=cs}else St(Pn,"u-inline"),de.live&&St(Pn,"u-live");let us={show:!0},
io={show:!1},ma=new Map;function on(d,h,m,w=!0){let k=ma.get(h)||{},T=se.bind[d](p,h,m,w);T&&(mn(d,h,k[d]=T),ma.set(h,k))}function ps(d,h){let m=ma.get(h)||{};for(let w in m)
d!=null&&w!=d||(ns(w,h,m[w]),delete m[w]);d==null&&ma.delete(h)}let ea=0,za=0,Ce=0,K=0,et=0,Bt=0,Na=et,ta=Bt,Wa=Ce,Fn=K,Sn=0,rn=0,Ln=0,qa=0;p.bbox={};let ei=!1,
Jo=!1,hs=!1,Ha=!1,Go=!1,Tn=!1;function ti(d,h,m){(m||d!=p.width||h!=p.height)&&Nd(d,h),vs(!1),hs=!0,Jo=!0,_s()}function Nd(d,h){p.width=ea=Ce=d,p.height=za=K=h,
et=Bt=0,(function(){let w=!1,k=!1,T=!1,O=!1;ve.forEach((P=>{if(P.show&&P._show){let{side:L,_size:z}=P,U=z+(P.label!=null?P.labelSize:0);U>0&&(L%2?(Ce-=U,L==3?(et+=
U,O=!0):T=!0):(K-=U,L==0?(Bt+=U,w=!0):k=!0))}})),Ba[0]=w,Ba[1]=T,Ba[2]=k,Ba[3]=O,Ce-=$a[1]+$a[3],et+=$a[3],K-=$a[2]+$a[0],Bt+=$a[0]})(),(function(){let w=et+Ce,
k=Bt+K,T=et,O=Bt;function P(L,z){switch(L){case 1:return w+=z,w-z;case 2:return k+=z,k-z;case 3:return T-=z,T+z;case 0:return O-=z,O+z}}ve.forEach((L=>{if(L.show&&
L._show){let z=L.side;L._pos=P(z,L._size),L.label!=null&&(L._lpos=P(z,L.labelSize))}}))})();let m=p.bbox;Sn=m.left=Pa(et*$e,.5),rn=m.top=Pa(Bt*$e,.5),Ln=m.width=
Pa(Ce*$e,.5),qa=m.height=Pa(K*$e,.5)}let kh=3;if(p.setSize=function({width:d,height:h}){ti(d,h)},se.dataIdx==null){let d=se.hover,h=d.skip=new Set(d.skip??[]);h.
add(void 0);let m=d.prox=Ie(d.prox),w=d.bias??=0;se.dataIdx=(k,T,O,P)=>{if(T==0)return O;let L=O,z=m(k,T,O,P)??Ze,U=z>=0&&Ze>z,re=Z.ori==0?Ce:K,Le=se.left,xe=u[0],
be=u[T];if(h.has(be[O])){L=null;let we,N=null,fe=null;if(w==0||w==-1)for(we=O;N==null&&we-- >0;)h.has(be[we])||(N=we);if(w==0||w==1)for(we=O;fe==null&&we++<be.length;)
h.has(be[we])||(fe=we);if(N!=null||fe!=null)if(U){let He=Le-(N==null?-1/0:me(xe[N],Z,re,0)),vt=(fe==null?1/0:me(xe[fe],Z,re,0))-Le;He>vt?vt>z||(L=fe):He>z||(L=N)}else
L=fe==null?N:N==null||O-N>fe-O?fe:N}else U&&Tt(Le-me(xe[O],Z,re,0))>z&&(L=null);return L}}let Ua=d=>{se.event=d};se.idxs=Me,se._lock=!1;let Qt=se.points;Qt.show=
Ie(Qt.show),Qt.size=Ie(Qt.size),Qt.stroke=Ie(Qt.stroke),Qt.width=Ie(Qt.width),Qt.fill=Ie(Qt.fill);let Un=p.focus=xt({},l.focus||{alpha:.3},se.focus),fs=Un.prox>=
0,ms=fs&&Qt.one,Dn=[],$s=[],gs=[];function Wd(d,h){let m=Qt.show(p,h);if(m instanceof HTMLElement)return St(m,"u-cursor-pt"),St(m,d.class),_n(m,-10,-10,Ce,K),B.
insertBefore(m,Dn[h]),m}function qd(d,h){if(b==1||h>0){let m=b==1&&G[d.scale].time,w=d.value;d.value=m?Ul(w)?id(Oe,rd(w,dt)):w||Ut:w||lh,d.label=d.label||(m?"Ti\
me":"Value")}if(ms||h>0){d.width=d.width==null?1:d.width,d.paths=d.paths||mh||Ep,d.fillTo=Ie(d.fillTo||uh),d.pxAlign=+ze(d.pxAlign,V),d.pxRound=_d(d.pxAlign),d.
stroke=Ie(d.stroke||null),d.fill=Ie(d.fill||null),d._stroke=d._fill=d._paths=d._focus=null;let m=(function(k){return Xe(1*(3+2*(k||1)),3)})(sn(1,d.width)),w=d.points=
xt({},{size:m,width:sn(1,.2*m),stroke:d.stroke,space:2*m,paths:$h,_stroke:null,_fill:null},d.points);w.show=Ie(w.show),w.filter=Ie(w.filter),w.fill=Ie(w.fill),w.
stroke=Ie(w.stroke),w.paths=Ie(w.paths),w.pxAlign=d.pxAlign}if(ct){let m=(function(w,k){if(k==0&&(Cn||!de.live||b==2))return ss;let T=[],O=Ot("tr","u-series",bn,
bn.childNodes[k]);St(O,w.class),w.show||St(O,e);let P=Ot("th",null,O);if(gt.show){let U=Yt("u-marker",P);if(k>0){let re=gt.width(p,k);re&&(U.style.border=re+"px\
 "+gt.dash(p,k)+" "+gt.stroke(p,k)),U.style.background=gt.fill(p,k)}}let L=Yt(t,P);for(var z in w.label instanceof HTMLElement?L.appendChild(w.label):L.textContent=
w.label,k>0&&(gt.show||(L.style.color=w.width>0?gt.stroke(p,k):gt.fill(p,k)),on("click",P,(U=>{if(se._lock)return;Ua(U);let re=H.indexOf(w);if((U.ctrlKey||U.metaKey)!=
de.isolate){let Le=H.some(((xe,be)=>be>0&&be!=re&&xe.show));H.forEach(((xe,be)=>{be>0&&Bn(be,Le?be==re?us:io:us,!0,kt.setSeries)}))}else Bn(re,{show:!w.show},!0,
kt.setSeries)}),!1),fs&&on(S,P,(U=>{se._lock||(Ua(U),Bn(H.indexOf(w),Cs,!0,kt.setSeries))}),!1)),bt){let U=Ot("td","u-value",O);U.textContent="--",T.push(U)}return[
O,T]})(d,h);vn.splice(h,0,m[0]),ha.splice(h,0,m[1]),de.values.push(null)}if(mt){Me.splice(h,0,null);let m=null;ms?h==0&&(m=Wd(d,h)):h>0&&(m=Wd(d,h)),Dn.splice(h,
0,m),$s.splice(h,0,0),gs.splice(h,0,0)}Lt("addSeries",h)}p.addSeries=function(d,h){h=h??H.length,d=b==1?Qr(d,h,hd,wd):Qr(d,h,{},vd),H.splice(h,0,d),qd(H[h],h)},
p.delSeries=function(d){if(H.splice(d,1),ct){de.values.splice(d,1),ha.splice(d,1);let h=vn.splice(d,1)[0];ps(null,h.firstChild),h.remove()}mt&&(Me.splice(d,1),Dn.
splice(d,1)[0].remove(),$s.splice(d,1),gs.splice(d,1)),Lt("delSeries",d)};let Ba=[!1,!1,!1,!1];function lo(d,h,m){let[w,k,T,O]=m,P=h%2,L=0;return P==0&&(O||k)&&
(L=h==0&&!w||h==2&&!T?Dt(pd.size/3):0),P==1&&(w||T)&&(L=h==1&&!k||h==3&&!O?Dt($d.size/2):0),L}let Hd=p.padding=(l.padding||[lo,lo,lo,lo]).map((d=>Ie(ze(d,lo)))),
$a=p._padding=Hd.map(((d,h)=>d(p,h,Ba,0))),Jt,Et=null,It=null,Ko=b==1?H[0].idxs:null,Vo,bs,ni,ai,si,oi,ri,ii,li,ln,zn=null,co=!1;function Ud(d,h){if(p.data=p._data=
u=d??[],b==2){Jt=0;for(let m=1;H.length>m;m++)Jt+=u[m][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),zn=u[0],Jt=zn.length;let m=u;if(ie==2){m=u.slice();let w=m[0]=
Array(Jt);for(let k=0;Jt>k;k++)w[k]=k}p._data=u=m}if(vs(!0),Lt("setData"),ie==2&&(hs=!0),h!==!1){let m=Z;m.auto(p,co)?di():ba(J,m.min,m.max),Ha=Ha||se.left>=0,Tn=
!0,_s()}}function di(){let d,h;co=!0,b==1&&(Jt>0?(Et=Ko[0]=0,It=Ko[1]=Jt-1,d=u[0][Et],h=u[0][It],ie==2?(d=Et,h=It):d==h&&(ie==3?[d,h]=Eo(d,d,Z.log,!1):ie==4?[d,
h]=Ir(d,d,Z.log,!1):Z.time?h=d+Dt(86400/pe):[d,h]=Io(d,h,Pr,!0))):(Et=Ko[0]=d=null,It=Ko[1]=h=null)),ba(J,d,h)}function Bd(d,h,m,w,k,T){d??=f,m??=Nr,w??="butt",
k??=f,T??="round",d!=Vo&&(C.strokeStyle=Vo=d),k!=bs&&(C.fillStyle=bs=k),h!=ni&&(C.lineWidth=ni=h),T!=si&&(C.lineJoin=si=T),w!=oi&&(C.lineCap=oi=w),m!=ai&&C.setLineDash(
ai=m)}function Jd(d,h,m,w){h!=bs&&(C.fillStyle=bs=h),d!=ri&&(C.font=ri=d),m!=ii&&(C.textAlign=ii=m),w!=li&&(C.textBaseline=li=w)}function ci(d,h,m,w,k=0){if(w.length>
0&&d.auto(p,co)&&(h==null||h.min==null)){let T=ze(Et,0),O=ze(It,w.length-1),P=m.min==null?(function(L,z,U,re=0,Le=!1){let xe=Le?Mp:Oo,be=Le?Rl:Dl;[z,U]=xe(L,z,U);
let we=L[z],N=L[z];if(z>-1)if(re==1)we=L[z],N=L[U];else if(re==-1)we=L[U],N=L[z];else for(let fe=z;U>=fe;fe++){let He=L[fe];be(He)&&(we>He?we=He:He>N&&(N=He))}return[
we??Ze,N??-Ze]})(w,T,O,k,d.distr==3):[m.min,m.max];d.min=In(d.min,m.min=P[0]),d.max=sn(d.max,m.max=P[1])}}p.setData=Ud;let Gd={min:null,max:null};function Kd(d,h){
let m=h?H[d].points:H[d];m._stroke=m.stroke(p,d),m._fill=m.fill(p,d)}function Vd(d,h){let m=h?H[d].points:H[d],{stroke:w,fill:k,clip:T,flags:O,_stroke:P=m._stroke,
_fill:L=m._fill,_width:z=m.width}=m._paths;z=Xe(z*$e,3);let U=null,re=z%2/2;h&&L==null&&(L=z>0?"#fff":P);let Le=m.pxAlign==1&&re>0;if(Le&&C.translate(re,re),!h){
let xe=Sn-z/2,be=rn-z/2,we=Ln+z,N=qa+z;U=new Path2D,U.rect(xe,be,we,N)}h?ui(P,z,m.dash,m.cap,L,w,k,O,T):(function(xe,be,we,N,fe,He,vt,ot,Je,Kt,en){let tn=!1;Je!=
0&&ae.forEach((($t,wn)=>{if($t.series[0]==xe){let _t,rt=H[$t.series[1]],nn=u[$t.series[1]],dn=(rt._paths||so).band;pa(dn)&&(dn=$t.dir==1?dn[0]:dn[1]);let Rn=null;
rt.show&&dn&&(function(aa,ya,yn){for(ya=ze(ya,0),yn=ze(yn,aa.length-1);yn>=ya;){if(aa[ya]!=null)return!0;ya++}return!1})(nn,Et,It)?(Rn=$t.fill(p,wn)||He,_t=rt._paths.
clip):dn=null,ui(be,we,N,fe,Rn,vt,ot,Je,Kt,en,_t,dn),tn=!0}})),tn||ui(be,we,N,fe,He,vt,ot,Je,Kt,en)})(d,P,z,m.dash,m.cap,L,w,k,O,U,T),Le&&C.translate(-re,-re)}let Yd=3;
function ui(d,h,m,w,k,T,O,P,L,z,U,re){Bd(d,h,m,w,k),(L||z||re)&&(C.save(),L&&C.clip(L),z&&C.clip(z)),re?(P&Yd)==Yd?(C.clip(re),U&&C.clip(U),Zo(k,O),Yo(d,T,h)):2&
P?(Zo(k,O),C.clip(re),Yo(d,T,h)):1&P&&(C.save(),C.clip(re),U&&C.clip(U),Zo(k,O),C.restore(),Yo(d,T,h)):(Zo(k,O),Yo(d,T,h)),(L||z||re)&&C.restore()}function Yo(d,h,m){
m>0&&(h instanceof Map?h.forEach(((w,k)=>{C.strokeStyle=Vo=k,C.stroke(w)})):h!=null&&d&&C.stroke(h))}function Zo(d,h){h instanceof Map?h.forEach(((m,w)=>{C.fillStyle=
bs=w,C.fill(m)})):h!=null&&d&&C.fill(h)}function pi(d,h,m,w,k,T,O,P,L,z){let U=O%2/2;V==1&&C.translate(U,U),Bd(P,O,L,z,P),C.beginPath();let re,Le,xe,be,we=k+(w==
0||w==3?-T:T);m==0?(Le=k,be=we):(re=k,xe=we);for(let N=0;d.length>N;N++)h[N]!=null&&(m==0?re=xe=d[N]:Le=be=d[N],C.moveTo(re,Le),C.lineTo(xe,be));C.stroke(),V==1&&
C.translate(-U,-U)}function _h(d){let h=!0;return ve.forEach(((m,w)=>{if(!m.show)return;let k=G[m.scale];if(k.min==null)return void(m._show&&(h=!1,m._show=!1,vs(
!1)));m._show||(h=!1,m._show=!0,vs(!1));let T=m.side,O=T%2,{min:P,max:L}=k,[z,U]=(function(N,fe,He,vt){let ot,Je=ve[N];if(vt>0){let Kt=Je._space=Je.space(p,N,fe,
He,vt);ot=yh(fe,He,Je._incrs=Je.incrs(p,N,fe,He,vt,Kt),vt,Kt)}else ot=[0,0];return Je._found=ot})(w,P,L,O==0?Ce:K);if(U==0)return;let re=m._splits=m.splits(p,w,
P,L,z,U,k.distr==2),Le=k.distr==2?re.map((N=>zn[N])):re,xe=k.distr==2?zn[re[1]]-zn[re[0]]:z,be=m._values=m.values(p,m.filter(p,Le,w,U,xe),w,U,xe);m._rotate=T==2?
m.rotate(p,be,w,U):0;let we=m._size;m._size=jn(m.size(p,be,w,d)),we!=null&&m._size!=we&&(h=!1)})),h}function jh(d){let h=!0;return Hd.forEach(((m,w)=>{let k=m(p,
w,Ba,d);k!=$a[w]&&(h=!1),$a[w]=k})),h}function vs(d){H.forEach(((h,m)=>{m>0&&(h._paths=null,d&&(b==1?(h.min=null,h.max=null):h.facets.forEach((w=>{w.min=null,w.
max=null}))))}))}let hi,fi,ws,ys,Zd,Xd,xs,ks,Qd,ec,at,ut,Xo=!1,mi=!1,uo=[];function Ch(){mi=!1;for(let d=0;uo.length>d;d++)Lt(...uo[d]);uo.length=0}function _s(){
Xo||(zp(tc),Xo=!0)}function tc(){if(ei&&((function(){for(let w in G){let k=G[w];he[w]==null&&(k.min==null||he[J]!=null&&k.auto(p,co))&&(he[w]=Gd)}for(let w in G){
let k=G[w];he[w]==null&&k.from!=null&&he[k.from]!=null&&(he[w]=Gd)}he[J]!=null&&vs(!0);let d={};for(let w in he){let k=he[w];if(k!=null){let T=d[w]=os(G[w],Pp);
if(k.min!=null)xt(T,k);else if(w!=J||b==2)if(Jt==0&&T.from==null){let O=T.range(p,null,null,w);T.min=O[0],T.max=O[1]}else T.min=Ze,T.max=-Ze}}if(Jt>0){H.forEach(
((w,k)=>{if(b==1){let T=w.scale,O=he[T];if(O==null)return;let P=d[T];if(k==0){let L=P.range(p,P.min,P.max,T);P.min=L[0],P.max=L[1],Et=En(P.min,u[0]),It=En(P.max,
u[0]),It-Et>1&&(P.min>u[0][Et]&&Et++,u[0][It]>P.max&&It--),w.min=zn[Et],w.max=zn[It]}else w.show&&w.auto&&ci(P,O,w,u[k],w.sorted);w.idxs[0]=Et,w.idxs[1]=It}else if(k>
0&&w.show&&w.auto){let[T,O]=w.facets,P=T.scale,L=O.scale,[z,U]=u[k],re=d[P],Le=d[L];re!=null&&ci(re,he[P],T,z,T.sorted),Le!=null&&ci(Le,he[L],O,U,O.sorted),w.min=
O.min,w.max=O.max}}));for(let w in d){let k=d[w],T=he[w];if(k.from==null&&(T==null||T.min==null)){let O=k.range(p,k.min==Ze?null:k.min,k.max==-Ze?null:k.max,w);
k.min=O[0],k.max=O[1]}}}for(let w in d){let k=d[w];if(k.from!=null){let T=d[k.from];if(T.min==null)k.min=k.max=null;else{let O=k.range(p,T.min,T.max,w);k.min=O[0],
k.max=O[1]}}}let h={},m=!1;for(let w in d){let k=d[w],T=G[w];if(T.min!=k.min||T.max!=k.max){T.min=k.min,T.max=k.max;let O=T.distr;T._min=O==3?Xn(T.min):O==4?Lr(
T.min,T.asinh):O==100?T.fwd(T.min):T.min,T._max=O==3?Xn(T.max):O==4?Lr(T.max,T.asinh):O==100?T.fwd(T.max):T.max,h[w]=m=!0}}if(m){H.forEach(((w,k)=>{b==2?k>0&&h.
y&&(w._paths=null):h[w.scale]&&(w._paths=null)}));for(let w in h)hs=!0,Lt("setScale",w);mt&&se.left>=0&&(Ha=Tn=!0)}for(let w in he)he[w]=null})(),ei=!1),hs&&((function(){
let d=!1,h=0;for(;!d;){h++;let m=_h(h),w=jh(h);d=h==kh||m&&w,d||(Nd(p.width,p.height),Jo=!0)}})(),hs=!1),Jo){if(Ee(Y,i,et),Ee(Y,"top",Bt),Ee(Y,n,Ce),Ee(Y,s,K),Ee(
B,i,et),Ee(B,"top",Bt),Ee(B,n,Ce),Ee(B,s,K),Ee(q,n,ea),Ee(q,s,za),E.width=Dt(ea*$e),E.height=Dt(za*$e),ve.forEach((({_el:d,_show:h,_size:m,_pos:w,side:k})=>{if(d!=
null)if(h){let T=k%2==1;Ee(d,T?"left":"top",w-(k===3||k===0?m:0)),Ee(d,T?"width":"height",m),Ee(d,T?"top":"left",T?Bt:et),Ee(d,T?"height":"width",T?K:Ce),ft(d,e)}else
St(d,e)})),Vo=bs=ni=si=oi=ri=ii=li=ai=null,ln=1,fo(!0),et!=Na||Bt!=ta||Ce!=Wa||K!=Fn){vs(!1);let d=Ce/Wa,h=K/Fn;if(mt&&!Ha&&se.left>=0){se.left*=d,se.top*=h,ws&&
_n(ws,Dt(se.left),0,Ce,K),ys&&_n(ys,0,Dt(se.top),Ce,K);for(let m=0;Dn.length>m;m++){let w=Dn[m];w!=null&&($s[m]*=d,gs[m]*=h,_n(w,jn($s[m]),jn(gs[m]),Ce,K))}}if(st.
show&&!Go&&st.left>=0&&st.width>0){st.left*=d,st.width*=d,st.top*=h,st.height*=h;for(let m in vi)Ee(js,m,st[m])}Na=et,ta=Bt,Wa=Ce,Fn=K}Lt("setSize"),Jo=!1}ea>0&&
za>0&&(C.clearRect(0,0,E.width,E.height),Lt("drawClear"),je.forEach((d=>d())),Lt("draw")),st.show&&Go&&(Qo(st),Go=!1),mt&&Ha&&(Ga(null,!0,!1),Ha=!1),de.show&&de.
live&&Tn&&(gi(),Tn=!1),A||(A=!0,p.status=1,Lt("ready")),co=!1,Xo=!1}function $i(d,h){let m=G[d];if(m.from==null){if(Jt==0){let w=m.range(p,h.min,h.max,d);h.min=
w[0],h.max=w[1]}if(h.min>h.max){let w=h.min;h.min=h.max,h.max=w}if(Jt>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;d==J&&m.distr==2&&Jt>0&&(h.min=En(h.
min,u[0]),h.max=En(h.max,u[0]),h.min==h.max&&h.max++),he[d]=h,ei=!0,_s()}}p.batch=function(d,h=!1){Xo=!0,mi=h,d(p),tc(),h&&uo.length>0&&queueMicrotask(Ch)},p.redraw=
(d,h)=>{hs=h||!1,d!==!1?ba(J,Z.min,Z.max):_s()},p.setScale=$i;let ga=!1,Gt=se.drag,Pt=Gt.x,Ft=Gt.y;mt&&(se.x&&(hi=Yt("u-cursor-x",B)),se.y&&(fi=Yt("u-cursor-y",
B)),Z.ori==0?(ws=hi,ys=fi):(ws=fi,ys=hi),at=se.left,ut=se.top);let st=p.select=xt({show:!0,over:!0,left:0,width:0,top:0,height:0},l.select),js=st.show?Yt("u-sel\
ect",st.over?B:Y):null;function Qo(d,h){if(st.show){for(let m in d)st[m]=d[m],m in vi&&Ee(js,m,d[m]);h!==!1&&Lt("setSelect")}}function ba(d,h,m){$i(d,{min:h,max:m})}
function Bn(d,h,m,w){h.focus!=null&&(function(k){if(k!=Ja){let T=k==null,O=Un.alpha!=1;H.forEach(((P,L)=>{if(b==1||L>0){let z=T||L==0||L==k;P._focus=T?null:z,O&&
(function(U,re){H[U].alpha=re,mt&&Dn[U]!=null&&(Dn[U].style.opacity=re),ct&&vn[U]&&(vn[U].style.opacity=re)})(L,z?1:Un.alpha)}})),Ja=k,O&&_s()}})(d),h.show!=null&&
H.forEach(((k,T)=>{0>=T||d!=T&&d!=null||(k.show=h.show,(function(O){if(H[O].show)ct&&ft(vn[O],e);else if(ct&&St(vn[O],e),mt){let P=ms?Dn[0]:Dn[O];P!=null&&_n(P,
-10,-10,Ce,K)}})(T),b==2?(ba(k.facets[0].scale,null,null),ba(k.facets[1].scale,null,null)):ba(k.scale,null,null),_s())})),m!==!1&&Lt("setSeries",d,h),w&&mo("set\
Series",p,d,h)}let na,va,Ja;p.setSelect=Qo,p.setSeries=Bn,p.addBand=function(d,h){d.fill=Ie(d.fill||null),d.dir=ze(d.dir,-1),ae.splice(h=h??ae.length,0,d)},p.setBand=
function(d,h){xt(ae[d],h)},p.delBand=function(d){d==null?ae.length=0:ae.splice(d,1)};let Cs={focus:!0};function Jn(d,h,m){let w=G[h];m&&(d=d/$e-(w.ori==1?Bt:et));
let k=Ce;w.ori==1&&(k=K,d=k-d),w.dir==-1&&(d=k-d);let T=w._min,O=T+d/k*(w._max-T),P=w.distr;return P==3?as(10,O):P==4?((L,z=1)=>$n.sinh(L)*z)(O,w.asinh):P==100?
w.bwd(O):O}function nc(d,h){Ee(js,i,st.left=d),Ee(js,n,st.width=h)}function ac(d,h){Ee(js,"top",st.top=d),Ee(js,s,st.height=h)}ct&&fs&&on(W,Pn,(d=>{se._lock||(Ua(
d),Ja!=null&&Bn(null,Cs,!0,kt.setSeries))})),p.valToIdx=d=>En(d,u[0]),p.posToIdx=function(d,h){return En(Jn(d,J,h),u[0],Et,It)},p.posToVal=Jn,p.valToPos=(d,h,m)=>G[h].
ori==0?_(d,G[h],m?Ln:Ce,m?Sn:0):x(d,G[h],m?qa:K,m?rn:0),p.setCursor=(d,h,m)=>{at=d.left,ut=d.top,Ga(null,h,m)};let po=Z.ori==0?nc:ac,ho=Z.ori==1?nc:ac;function gi(d,h){
if(d!=null&&(d.idxs?d.idxs.forEach(((m,w)=>{Me[w]=m})):(m=>m===void 0)(d.idx)||Me.fill(d.idx),de.idx=Me[0]),ct&&de.live){for(let m=0;H.length>m;m++)(m>0||b==1&&
!Cn)&&Sh(m,Me[m]);(function(){if(ct&&de.live)for(let m=b==2?1:0;H.length>m;m++){if(m==0&&Cn)continue;let w=de.values[m],k=0;for(let T in w)ha[m][k++].firstChild.
nodeValue=w[T]}})()}Tn=!1,h!==!1&&Lt("setLegend")}function Sh(d,h){let m,w=H[d],k=d==0&&ie==2?zn:u[d];Cn?m=w.values(p,d,h)??fa:(m=w.value(p,h==null?null:k[h],d,
h),m=m==null?fa:{_:m}),de.values[d]=m}function Ga(d,h,m){let w;Qd=at,ec=ut,[at,ut]=se.move(p,at,ut),se.left=at,se.top=ut,mt&&(ws&&_n(ws,Dt(at),0,Ce,K),ys&&_n(ys,
0,Dt(ut),Ce,K)),na=Ze,va=null;let k=Z.ori==0?Ce:K,T=Z.ori==1?Ce:K;if(0>at||Jt==0||Et>It){w=se.idx=null;for(let O=0;H.length>O;O++){let P=Dn[O];P!=null&&_n(P,-10,
-10,Ce,K)}fs&&Bn(null,Cs,!0,d==null&&kt.setSeries),de.live&&(Me.fill(w),Tn=!0)}else{let O,P,L;b==1&&(O=Z.ori==0?at:ut,P=Jn(O,J),w=se.idx=En(P,u[0],Et,It),L=me(u[0][w],
Z,k,0));let z=-10,U=-10,re=0,Le=0,xe=!0,be="",we="";for(let N=b==2?1:0;H.length>N;N++){let fe=H[N],He=Me[N],vt=He==null?null:b==1?u[N][He]:u[N][1][He],ot=se.dataIdx(
p,N,w,P),Je=ot==null?null:b==1?u[N][ot]:u[N][1][ot];if(Tn=Tn||Je!=vt||ot!=He,Me[N]=ot,N>0&&fe.show){let Kt=ot==null?-10:ot==w?L:me(b==1?u[0][ot]:u[N][0][ot],Z,k,
0),en=Je==null?-10:Ne(Je,b==1?G[fe.scale]:G[fe.facets[1].scale],T,0);if(fs&&Je!=null){let tn=Z.ori==1?at:ut,$t=Tt(Un.dist(p,N,ot,en,tn));if(na>$t){let wn=Un.bias;
if(wn!=0){let _t=Jn(tn,fe.scale),rt=0>_t?-1:1;rt!=(0>Je?-1:1)||(rt==1?wn==1?_t>Je:Je>_t:wn==1?Je>_t:_t>Je)||(na=$t,va=N)}else na=$t,va=N}}if(Tn||ms){let tn,$t;Z.
ori==0?(tn=Kt,$t=en):(tn=en,$t=Kt);let wn,_t,rt,nn,dn,Rn,aa=!0,ya=Qt.bbox;if(ya!=null){aa=!1;let yn=ya(p,N);rt=yn.left,nn=yn.top,wn=yn.width,_t=yn.height}else rt=
tn,nn=$t,wn=_t=Qt.size(p,N);if(Rn=Qt.fill(p,N),dn=Qt.stroke(p,N),ms)N!=va||na>Un.prox||(z=rt,U=nn,re=wn,Le=_t,xe=aa,be=Rn,we=dn);else{let yn=Dn[N];yn!=null&&($s[N]=
rt,gs[N]=nn,ts(yn,wn,_t,aa),Ao(yn,Rn,dn),_n(yn,jn(rt),jn(nn),Ce,K))}}}}if(ms){let N=Un.prox;if(Tn||(Ja==null?N>=na:na>N||va!=Ja)){let fe=Dn[0];fe!=null&&($s[0]=
z,gs[0]=U,ts(fe,re,Le,xe),Ao(fe,be,we),_n(fe,jn(z),jn(U),Ce,K))}}}if(st.show&&ga)if(d!=null){let[O,P]=kt.scales,[L,z]=kt.match,[U,re]=d.cursor.sync.scales,Le=d.
cursor.drag;if(Pt=Le._x,Ft=Le._y,Pt||Ft){let xe,be,we,N,fe,{left:He,top:vt,width:ot,height:Je}=d.select,Kt=d.scales[U].ori,en=d.posToVal,tn=O!=null&&L(O,U),$t=P!=
null&&z(P,re);tn&&Pt?(Kt==0?(xe=He,be=ot):(xe=vt,be=Je),we=G[O],N=me(en(xe,U),we,k,0),fe=me(en(xe+be,U),we,k,0),po(In(N,fe),Tt(fe-N))):po(0,k),$t&&Ft?(Kt==1?(xe=
He,be=ot):(xe=vt,be=Je),we=G[P],N=Ne(en(xe,re),we,T,0),fe=Ne(en(xe+be,re),we,T,0),ho(In(N,fe),Tt(fe-N))):ho(0,T)}else wi()}else{let O=Tt(Qd-Zd),P=Tt(ec-Xd);if(Z.
ori==1){let re=O;O=P,P=re}Pt=Gt.x&&O>=Gt.dist,Ft=Gt.y&&P>=Gt.dist;let L,z,U=Gt.uni;U!=null?Pt&&Ft&&(Pt=O>=U,Ft=P>=U,Pt||Ft||(P>O?Ft=!0:Pt=!0)):Gt.x&&Gt.y&&(Pt||
Ft)&&(Pt=Ft=!0),Pt&&(Z.ori==0?(L=xs,z=at):(L=ks,z=ut),po(In(L,z),Tt(z-L)),Ft||ho(0,T)),Ft&&(Z.ori==1?(L=xs,z=at):(L=ks,z=ut),ho(In(L,z),Tt(z-L)),Pt||po(0,k)),Pt||
Ft||(po(0,0),ho(0,0))}if(Gt._x=Pt,Gt._y=Ft,d==null){if(m){if(fc!=null){let[O,P]=kt.scales;kt.values[0]=O!=null?Jn(Z.ori==0?at:ut,O):null,kt.values[1]=P!=null?Jn(
Z.ori==1?at:ut,P):null}mo(y,p,at,ut,Ce,K,w)}if(fs){let O=m&&kt.setSeries,P=Un.prox;Ja==null?na>P||Bn(va,Cs,!0,O):na>P?Bn(null,Cs,!0,O):va!=Ja&&Bn(va,Cs,!0,O)}}Tn&&
(de.idx=w,gi()),h!==!1&&Lt("setCursor")}p.setLegend=gi;let wa=null;function fo(d=!1){d?wa=null:(wa=B.getBoundingClientRect(),Lt("syncRect",wa))}function sc(d,h,m,w,k,T){
se._lock||ga&&d!=null&&d.movementX==0&&d.movementY==0||(bi(d,h,m,w,k,T,0,!1,d!=null),d!=null?Ga(null,!0,!0):Ga(h,!0,!1))}function bi(d,h,m,w,k,T,O,P,L){if(wa==null&&
fo(!1),Ua(d),d!=null)m=d.clientX-wa.left,w=d.clientY-wa.top;else{if(0>m||0>w)return at=-10,void(ut=-10);let[z,U]=kt.scales,re=h.cursor.sync,[Le,xe]=re.values,[be,
we]=re.scales,[N,fe]=kt.match,He=h.axes[0].side%2==1,vt=Z.ori==0?Ce:K,ot=Z.ori==1?Ce:K,Je=He?T:k,Kt=He?k:T,en=He?w:m,tn=He?m:w;if(m=be!=null?N(z,be)?D(Le,G[z],vt,
0):-10:vt*(en/Je),w=we!=null?fe(U,we)?D(xe,G[U],ot,0):-10:ot*(tn/Kt),Z.ori==1){let $t=m;m=w,w=$t}}!L||h!=null&&h.cursor.event.type!=y||(m>1&&Ce-1>m||(m=Pa(m,Ce)),
w>1&&K-1>w||(w=Pa(w,K))),P?(Zd=m,Xd=w,[xs,ks]=se.move(p,m,w)):(at=m,ut=w)}Object.defineProperty(p,"rect",{get:()=>(wa==null&&fo(!1),wa)});let vi={width:0,height:0,
left:0,top:0};function wi(){Qo(vi,!1)}let oc,rc,ic,lc;function dc(d,h,m,w,k,T){ga=!0,Pt=Ft=Gt._x=Gt._y=!1,bi(d,h,m,w,k,T,0,!0,!1),d!=null&&(on(v,qt,cc,!1),mo(M,
p,xs,ks,Ce,K,null));let{left:O,top:P,width:L,height:z}=st;oc=O,rc=P,ic=L,lc=z}function cc(d,h,m,w,k,T){ga=Gt._x=Gt._y=!1,bi(d,h,m,w,k,T,0,!1,!0);let{left:O,top:P,
width:L,height:z}=st,U=L>0||z>0,re=oc!=O||rc!=P||ic!=L||lc!=z;if(U&&re&&Qo(st),Gt.setScale&&U&&re){let Le=O,xe=L,be=P,we=z;if(Z.ori==1&&(Le=P,xe=z,be=O,we=L),Pt&&
ba(J,Jn(Le,J),Jn(Le+xe,J)),Ft)for(let N in G){let fe=G[N];N!=J&&fe.from==null&&fe.min!=Ze&&ba(N,Jn(be+we,N),Jn(be,N))}wi()}else se.lock&&(se._lock=!se._lock,Ga(
h,!0,d!=null));d!=null&&(ps(v,qt),mo(v,p,at,ut,Ce,K,null))}function uc(d){se._lock||(Ua(d),di(),wi(),d!=null&&mo(ne,p,at,ut,Ce,K,null))}function pc(){ve.forEach(
xh),ti(p.width,p.height,!0)}mn(Te,lt,pc);let Ss={};Ss.mousedown=dc,Ss.mousemove=sc,Ss.mouseup=cc,Ss.dblclick=uc,Ss.setSeries=(d,h,m,w)=>{(m=(0,kt.match[2])(p,h,
m))!=-1&&Bn(m,w,!0,!1)},mt&&(on(M,B,dc),on(y,B,sc),on(S,B,(d=>{Ua(d),fo(!1)})),on(W,B,(function(d){if(se._lock)return;Ua(d);let h=ga;if(ga){let m,w,k=!0,T=!0,O=10;
Z.ori==0?(m=Pt,w=Ft):(m=Ft,w=Pt),m&&w&&(k=O>=at||at>=Ce-O,T=O>=ut||ut>=K-O),m&&k&&(at=xs>at?0:Ce),w&&T&&(ut=ks>ut?0:K),Ga(null,!0,!0),ga=!1}at=-10,ut=-10,Me.fill(
null),Ga(null,!0,!0),h&&(ga=h)})),on(ne,B,uc),Xr.add(p),p.syncRect=fo);let er=p.hooks=l.hooks||{};function Lt(d,h,m){mi?uo.push([d,h,m]):d in er&&er[d].forEach(
(w=>{w.call(null,p,h,m)}))}(l.plugins||[]).forEach((d=>{for(let h in d.hooks)er[h]=(er[h]||[]).concat(d.hooks[h])}));let hc=(d,h,m)=>m,kt=xt({key:null,setSeries:!1,
filters:{pub:zl,sub:zl},scales:[J,H[1]?H[1].scale:null],match:[Nl,Nl,hc],values:[null,null]},se.sync);kt.match.length==2&&kt.match.push(hc),se.sync=kt;let fc=kt.
key,yi=kd(fc);function mo(d,h,m,w,k,T,O){kt.filters.pub(d,h,m,w,k,T,O)&&yi.pub(d,h,m,w,k,T,O)}function xi(){Lt("init",l,u),Ud(u||l.data,!1),he[J]?$i(J,he[J]):di(),
Go=st.show&&(st.width>0||st.height>0),Ha=Tn=!0,ti(l.width,l.height)}return yi.sub(p),p.pub=function(d,h,m,w,k,T,O){kt.filters.sub(d,h,m,w,k,T,O)&&Ss[d](null,h,m,
w,k,T,O)},p.destroy=function(){yi.unsub(p),Xr.delete(p),ma.clear(),ns(Te,lt,pc),R.remove(),Pn?.remove(),Lt("destroy")},H.forEach(qd),ve.forEach((function(d,h){if(d.
_show=d.show,d.show){let m=G[d.scale];m==null&&(d.scale=d.side%2?H[1].scale:J,m=G[d.scale]);let w=m.time;d.size=Ie(d.size),d.space=Ie(d.space),d.rotate=Ie(d.rotate),
pa(d.incrs)&&d.incrs.forEach((T=>{!ua.has(T)&&ua.set(T,ql(T))})),d.incrs=Ie(d.incrs||(m.distr==2?Jp:w?pe==1?Gp:Yp:Fa)),d.splits=Ie(d.splits||(w&&m.distr==1?Rt:m.
distr==3?Gr:m.distr==4?ah:nh)),d.stroke=Ie(d.stroke),d.grid.stroke=Ie(d.grid.stroke),d.ticks.stroke=Ie(d.ticks.stroke),d.border.stroke=Ie(d.border.stroke);let k=d.
values;d.values=pa(k)&&!pa(k[0])?Ie(k):w?pa(k)?od(Oe,sd(k,dt)):Ul(k)?(function(T,O){let P=Wr(O);return(L,z)=>z.map((U=>P(T(U))))})(Oe,k):k||Qe:k||th,d.filter=Ie(
d.filter||(3>m.distr||m.log!=10?m.distr==3&&m.log==2?ih:Ll:rh)),d.font=zd(d.font),d.labelFont=zd(d.labelFont),d._size=d.size(p,null,h,0),d._space=d._rotate=d._incrs=
d._found=d._splits=d._values=null,d._size>0&&(Ba[h]=!0,d._el=Yt("u-axis",q))}})),$?$ instanceof HTMLElement?($.appendChild(R),xi()):$(p,xi):xi(),p}Xt.assign=xt,
Xt.fmtNum=Fr,Xt.rangeNum=Io,Xt.rangeLog=Eo,Xt.rangeAsinh=Ir,Xt.orient=La,Xt.pxRatio=$e,Xt.join=function(l,u){if((function(x){let D=x[0][0],A=D.length;for(let R=1;x.
length>R;R++){let E=x[R][0];if(E.length!=A)return!1;if(E!=D){for(let C=0;A>C;C++)if(E[C]!=D[C])return!1}}return!0})(l)){let x=l[0].slice();for(let D=1;l.length>
D;D++)x.push(...l[D].slice(1));return(function(D,A=100){let R=D.length;if(1>=R)return!0;let E=0,C=R-1;for(;C>=E&&D[E]==null;)E++;for(;C>=E&&D[C]==null;)C--;if(E>=
C)return!0;let q=sn(1,gn((C-E+1)/A));for(let Y=D[E],B=E+q;C>=B;B+=q){let V=D[B];if(V!=null){if(Y>=V)return!1;Y=V}}return!0})(x[0])||(x=(function(D){let A=D[0],R=A.
length,E=Array(R);for(let q=0;E.length>q;q++)E[q]=q;E.sort(((q,Y)=>A[q]-A[Y]));let C=[];for(let q=0;D.length>q;q++){let Y=D[q],B=Array(R);for(let V=0;R>V;V++)B[V]=
Y[E[V]];C.push(B)}return C})(x)),x}let $=new Set;for(let x=0;l.length>x;x++){let D=l[x][0],A=D.length;for(let R=0;A>R;R++)$.add(D[R])}let p=[Array.from($).sort(
((x,D)=>x-D))],b=p[0].length,_=new Map;for(let x=0;b>x;x++)_.set(p[0][x],x);for(let x=0;l.length>x;x++){let D=l[x],A=D[0];for(let R=1;D.length>R;R++){let E=D[R],
C=Array(b).fill(void 0),q=u?u[x][R]:1,Y=[];for(let B=0;E.length>B;B++){let V=E[B],ye=_.get(A[B]);V===null?q!=0&&(C[ye]=V,q==2&&Y.push(ye)):C[ye]=V}Lp(C,Y,b),p.push(
C)}}return p},Xt.fmtDate=Wr,Xt.tzDate=function(l,u){let $;return u=="UTC"||u=="Etc/UTC"?$=new Date(+l+6e4*l.getTimezoneOffset()):u==Up?$=l:($=new Date(l.toLocaleString(
"en-US",{timeZone:u})),$.setMilliseconds(l.getMilliseconds())),$},Xt.sync=kd;{Xt.addGap=function(u,$,p){let b=u[u.length-1];b&&b[0]==$?b[1]=p:u.push([$,p])},Xt.
clipGaps=qo;let l=Xt.paths={points:Rd};l.linear=Ad,l.stepped=function(u){let $=ze(u.align,1),p=ze(u.ascDesc,!1),b=ze(u.alignGaps,0),_=ze(u.extend,!1);return(x,D,A,R)=>La(
x,D,((E,C,q,Y,B,V,ye,pe,H,ve,G)=>{[A,R]=Oo(q,A,R);let ae=E.pxRound,{left:J,width:_e}=x.bbox,je=Me=>ae(V(Me,Y,ve,pe)),Re=Me=>ae(ye(Me,B,G,H)),Ae=Y.ori==0?is:ls,Z={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},ie=Z.stroke,me=Y.dir*(Y.ori==0?1:-1),Ne=Re(q[me==1?A:R]),he=je(C[me==1?A:R]),Oe=he,dt=he;_&&$==
-1&&(dt=J,Ae(ie,dt,Ne)),Ae(ie,he,Ne);for(let Me=me==1?A:R;Me>=A&&R>=Me;Me+=me){let de=q[Me];if(de==null)continue;let se=je(C[Me]),ct=Re(de);$==1?Ae(ie,se,Ne):Ae(
ie,Oe,ct),Ae(ie,se,ct),Ne=ct,Oe=se}let Rt=Oe;_&&$==1&&(Rt=J+_e,Ae(ie,Rt,Ne));let[Qe,Ut]=Vr(x,D);if(E.fill!=null||Qe!=0){let Me=Z.fill=new Path2D(ie),de=Re(E.fillTo(
x,D,E.min,E.max,Qe));Ae(Me,Rt,de),Ae(Me,dt,de)}if(!E.spanGaps){let Me=[];Me.push(...Yr(C,q,A,R,me,je,b));let de=E.width*$e/2,se=p||$==1?de:-de,ct=p||$==-1?-de:de;
Me.forEach((mt=>{mt[0]+=se,mt[1]+=ct})),Z.gaps=Me=E.gaps(x,D,A,R,Me),Z.clip=qo(Me,Y.ori,pe,H,ve,G)}return Ut!=0&&(Z.band=Ut==2?[Qn(x,D,A,R,ie,-1),Qn(x,D,A,R,ie,
1)]:Qn(x,D,A,R,ie,Ut)),Z}))},l.bars=function(u){let $=ze((u=u||so).size,[.6,Ze,1]),p=u.align||0,b=u.gap||0,_=u.radius;_=_==null?[0,0]:typeof _=="number"?[_,0]:_;
let x=Ie(_),D=1-$[0],A=ze($[1],Ze),R=ze($[2],1),E=ze(u.disp,so),C=ze(u.each,(()=>{})),{fill:q,stroke:Y}=E;return(B,V,ye,pe)=>La(B,V,((H,ve,G,ae,J,_e,je,Re,Ae,Z,ie)=>{
let me,Ne,he=H.pxRound,Oe=p,dt=b*$e,Rt=A*$e,Qe=R*$e;ae.ori==0?[me,Ne]=x(B,V):[Ne,me]=x(B,V);let Ut=ae.dir*(ae.ori==0?1:-1),Me,de,se,ct=ae.ori==0?Bo:Zr,mt=ae.ori==
0?C:(K,et,Bt,Na,ta,Wa,Fn)=>{C(K,et,Bt,ta,Na,Fn,Wa)},gt=ze(B.bands,Nr).find((K=>K.series[0]==V)),Pn=H.fillTo(B,V,H.min,H.max,gt!=null?gt.dir:0),ds=he(je(Pn,J,ie,
Ae)),bn=Z,bt=he(H.width*$e),vn=!1,ha=null,Cn=null,fa=null,cs=null;q==null||bt!=0&&Y==null||(vn=!0,ha=q.values(B,V,ye,pe),Cn=new Map,new Set(ha).forEach((K=>{K!=
null&&Cn.set(K,new Path2D)})),bt>0&&(fa=Y.values(B,V,ye,pe),cs=new Map,new Set(fa).forEach((K=>{K!=null&&cs.set(K,new Path2D)}))));let{x0:us,size:io}=E;if(us!=null&&
io!=null){Oe=1,ve=us.values(B,V,ye,pe),us.unit==2&&(ve=ve.map((et=>B.posToVal(Re+et*Z,ae.key,!0))));let K=io.values(B,V,ye,pe);de=io.unit==2?K[0]*Z:_e(K[0],ae,Z,
Re)-_e(0,ae,Z,Re),bn=Od(ve,G,_e,ae,Z,Re,bn),se=bn-de+dt}else bn=Od(ve,G,_e,ae,Z,Re,bn),se=bn*D+dt,de=bn-se;1>se&&(se=0),de/2>bt||(bt=0),5>se&&(he=Fl);let ma=se>
0;de=he(zr(bn-se-(ma?bt:0),Qe,Rt)),Me=(Oe==0?de/2:Oe==Ut?0:de)-Oe*Ut*((Oe==0?dt/2:0)+(ma?bt/2:0));let on={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
ps=vn?null:new Path2D,ea=null;if(gt!=null)ea=B.data[gt.series[1]];else{let{y0:K,y1:et}=E;K!=null&&et!=null&&(G=et.values(B,V,ye,pe),ea=K.values(B,V,ye,pe))}let za=me*
de,Ce=Ne*de;for(let K=Ut==1?ye:pe;K>=ye&&pe>=K;K+=Ut){let et=G[K];if(et==null)continue;if(ea!=null){let rn=ea[K]??0;if(et-rn==0)continue;ds=je(rn,J,ie,Ae)}let Bt=_e(
ae.distr!=2||E!=null?ve[K]:K,ae,Z,Re),Na=je(ze(et,Pn),J,ie,Ae),ta=he(Bt-Me),Wa=he(sn(Na,ds)),Fn=he(In(Na,ds)),Sn=Wa-Fn;if(et!=null){let rn=0>et?Ce:za,Ln=0>et?za:
Ce;vn?(bt>0&&fa[K]!=null&&ct(cs.get(fa[K]),ta,Fn+gn(bt/2),de,sn(0,Sn-bt),rn,Ln),ha[K]!=null&&ct(Cn.get(ha[K]),ta,Fn+gn(bt/2),de,sn(0,Sn-bt),rn,Ln)):ct(ps,ta,Fn+
gn(bt/2),de,sn(0,Sn-bt),rn,Ln),mt(B,V,K,ta-bt/2,Fn,de+bt,Sn)}}return bt>0?on.stroke=vn?cs:ps:vn||(on._fill=H.width==0?H._fill:H._stroke??H._fill,on.width=0),on.
fill=vn?Cn:ps,on}))},l.spline=function(u){return(function($,p){let b=ze(p?.alignGaps,0);return(_,x,D,A)=>La(_,x,((R,E,C,q,Y,B,V,ye,pe,H,ve)=>{[D,A]=Oo(C,D,A);let G,
ae,J,_e=R.pxRound,je=Qe=>_e(B(Qe,q,H,ye)),Re=Qe=>_e(V(Qe,Y,ve,pe));q.ori==0?(G=Ho,J=is,ae=Td):(G=Uo,J=ls,ae=Dd);let Ae=q.dir*(q.ori==0?1:-1),Z=je(E[Ae==1?D:A]),
ie=Z,me=[],Ne=[];for(let Qe=Ae==1?D:A;Qe>=D&&A>=Qe;Qe+=Ae)if(C[Qe]!=null){let Ut=je(E[Qe]);me.push(ie=Ut),Ne.push(Re(C[Qe]))}let he={stroke:$(me,Ne,G,J,ae,_e),fill:null,
clip:null,band:null,gaps:null,flags:1},Oe=he.stroke,[dt,Rt]=Vr(_,x);if(R.fill!=null||dt!=0){let Qe=he.fill=new Path2D(Oe),Ut=Re(R.fillTo(_,x,R.min,R.max,dt));J(
Qe,ie,Ut),J(Qe,Z,Ut)}if(!R.spanGaps){let Qe=[];Qe.push(...Yr(E,C,D,A,Ae,je,b)),he.gaps=Qe=R.gaps(_,x,D,A,Qe),he.clip=qo(Qe,q.ori,ye,pe,H,ve)}return Rt!=0&&(he.band=
Rt==2?[Qn(_,x,D,A,Oe,-1),Qn(_,x,D,A,Oe,1)]:Qn(_,x,D,A,Oe,Rt)),he}))})(fh,u)}}return Xt})(),_r=hf;function qs(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var tl="11px system-ui, sans-serif",ku=(e,t,n=52)=>({stroke:qs(
"--ink-faint",e),font:tl,size:n,values:t,grid:{stroke:qs("--line",e),width:1},ticks:{show:!1}}),ff=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function mf(e,t,n){let{ctx:s}=e,{left:o,top:r,width:i,height:c}=e.bbox,g=f=>Math.min(Math.max(f,o),o+i);s.save();for(let f of t){let y=e.valToPos(Date.parse(f.at)/
1e3,"x",!0);if(f.kind==="outage"){let M=f.until?e.valToPos(Date.parse(f.until)/1e3,"x",!0):o+i;s.fillStyle=qs("--bad-soft",n),s.fillRect(g(y),r,Math.max(g(M)-g(
y),devicePixelRatio),c)}else y>=o&&y<=o+i&&(s.strokeStyle=qs("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(y,r),s.lineTo(y,r+c),s.stroke())}s.restore()}function $f({marks:e,from:t,to:n}){let s=i=>(i.kind==="start"?Date.parse(i.at):i.until?Date.
parse(i.until):pt())/1e3,o=e.filter(i=>s(i)>=t&&Date.parse(i.at)/1e3<=n);if(o.length===0)return null;let r=Object.values(Object.groupBy(o,i=>i.kind+i.says)).sort(
(i,c)=>Date.parse(i.at(-1).at)-Date.parse(c.at(-1).at));return a`<ul class="marks small soft">${r.length>4&&a`<li>and ${F(r.length-4,"earlier event")}</li>`}${r.
slice(-4).map(i=>[i.length,i.at(-1)]).map(([i,c])=>a`<li><i class=${c.kind}></i><span class="nowrap" title=${zt(c.at)}>${cn(c.at)}</span> ${c.says}${c.kind==="o\
utage"&&(c.until?` for ${pn((Date.parse(c.until)-Date.parse(c.at))/1e3)}`:", still")}${i>1&&`; ${i===2?"once":`${j(i-1)} times`} before`}</li>`)}</ul>`}function gf(e,t){
let n=600-(t-e);return n>0&&e!=null?[e-n/2,t+n/2]:[e,t]}function Ra({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:i,counts:c,marks:g}){let f=Mt(g);
f.current=g;let y=Mt(null),M=Mt(null),v=()=>{let S=y.current;M.current?.destroy(),M.current=new _r({tzDate:W=>Mn()?_r.tzDate(new Date(W*1e3),"UTC"):new Date(W*1e3),
width:S.clientWidth,height:n,padding:[8,22,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{x:{range:(W,ne,ce)=>gf(ne,ce)},y:{range:(W,ne,ce)=>[Math.
min(0,ne??0),Math.max(ce??0,r)*1.1]}},hooks:{drawClear:[W=>mf(W,f.current??[],S)]},axes:[{...ku(S),size:46,space:70,label:Rs(),labelSize:14,labelGap:0,labelFont:tl,
values:(W,ne,ce,Te,oe)=>Jc(ne,oe)},{...ku(S,(W,ne)=>ne.map(s??String),i?66:52),...c?{incrs:ff}:{},...i?{label:i,labelSize:16,labelGap:0,labelFont:tl}:{}}],series:[
{value:(W,ne)=>ne?zt(ne*1e3):""},...t.map(([W,ne,ce])=>({label:W,stroke:qs(ne,S),width:1.75,points:{show:!1},value:(Te,oe)=>oe==null?"":(s??String)(oe),...ce,...ce?.
filled?{fill:qs(ce.filled,S)}:{}}))]},e,S)};return ke(()=>{v();let S=new ResizeObserver(()=>{M.current&&y.current&&M.current.width!==y.current.clientWidth&&M.current.
setSize({width:y.current.clientWidth,height:n})});S.observe(y.current);let W=xr(v);return()=>{S.disconnect(),W(),M.current?.destroy()}},[]),ke(()=>{M.current?.setData(
e)},[e]),ke(()=>{M.current?.redraw(!1)},[g]),a`<div class="chart" ref=${y} role="img" aria-label=${o}></div>
    ${g?.length>0&&a`<${$f} marks=${g} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,pt()/1e3-60)} />`}`}var nl=()=>_r.paths.bars({size:[.7,26],radius:.15});var bf={done:"good",held:"warn",approved:"good",rejected:""},Hs=({is:e})=>a`<span class="badge ${bf[e]??""}">${e}</span>`,vf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},Us=({is:e})=>a`<span class="badge ${vf[e]??""}">${e}</span>`,Bs=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Js(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Gs=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function Ma({d:e}){if(e.parts){let n=e.bidding?[`${xn[e.bidding.field]}`,`${xn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${F(e.parts.
length,...n)} of ${F(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${Ma} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${te(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${te("rules","why",e.campaign)}>${xn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${Bs(e.bidding)}</div>`}${t}`:a`<a class="id" href=${te("rules","why",e.creative)}>${e.creative}</a>${t}`}var wf=[
"pause","resume","decrease","increase","held","notify","unknown","none"],_u={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},ko=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),_o=e=>e.warnings?.some(t=>t.code===
"stopped");function Aa(e,t){let{counts:n,state:s,leftOut:o}=e,r=o?.length??0,i=Es(e)-r,c=s!=="done"&&(i!==n?.held||ko(e)>0)?` (${j(i)} ${s==="held"?`${i===1?"wa\
its":"wait"} for approval`:s}${r?`, ${j(r)} dropped`:""})`:"",g=wf.filter(f=>n?.[f]&&(t||f!=="none")).map(f=>_u[f]?F(n[f],..._u[f]):`${j(n[f])} ${f}${f==="held"?
c:""}`);return _o(e)&&g.push("held back by the stop switch"),g.length?g.join(", "):"nothing to do"}var jr=e=>`would ${e.wants}${e.left?", left out of the approv\
al":Zi[e.guard]?`, held by ${Zi[e.guard]}`:""}`;function ju(e){let t=e.decision,n=t.bidding?`the ${xn[t.bidding.field]}`:"it";return t.action==="unknown"?"could\
 not decide":t.action==="none"?t.guard==="hands_off"?`left ${n} alone`:`did not change ${n}`:t.action==="notify"?`would ${t.wants} ${n}, but only notifies`:t.action!==
"held"?`decided to ${t.action} ${n}`:t.left?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} approved the run without that`:Ca(t)&&e.state==="held"?`wants to\
 ${t.wants} ${n}, and waits for approval`:Ca(t)&&e.state==="rejected"?`wanted to ${t.wants} ${n}, and ${e.by||"somebody"} rejected that`:`wanted to ${t.wants} ${n}\
, but did not`}function Za({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.map(([n,s])=>a`<span class="tag">${n} ${un(s)}</span> `)}</div>`:
null}function Ks({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.by} <${Q} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:
null}var yf=new Intl.Collator("en",{numeric:!0}),xf=(e,t)=>typeof e=="number"?e-t:yf.compare(e,t);function Cu(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(An().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[an(()=>{if(!r)return t;let c=t.filter(g=>r.value(g)!=null).sort((g,f)=>xf(r.value(g),r.value(f)));return[...s?c.reverse():
c,...t.filter(g=>r.value(g)==null)]},[t,o,s]),e.map(c=>a`<${kf} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function kf({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>tt(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Vs({columns:e,rows:t,id:n,href:s,
label:o}){let[r,i]=Cu(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${i}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map(g=>a`<td class=${`${g.num?"num":""} ${g.look??""}`} data-name=${g.card===!1?void 0:g.title}>${g.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var _f=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function it({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[i,c]=Cu(e.map(([g,f,y,M])=>({key:_f(g),title:g,value:f,num:y,meaning:M})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${i.
map(r)}</tbody></table>`}var Cr=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),At=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:Cr(e.target),al=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${j(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${j(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
sl=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every,jo=e=>e==="failed"||e==="cancelled";function ol({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.blind?a`<span class="badge bad">blind</span> <span class="small"><${Ya} at=${e.blind} /></span>`:e.late?
a`<span class="badge bad">late</span> <span class="small"><${Ya} at=${e.late} /></span>`:jo(e.jobState)?a`<span class="badge ${e.jobState==="failed"?"bad":"warn"}">last job ${e.
jobState}</span>`:e.next?a`next export by ${hr(e.next)}`:a`<span class="soft">looks ${sl(e)}</span>`:a`<span class="faint">no feed</span>`}var jf=[{key:"name",title:"\
Audience",card:!1,value:e=>At(e),cell:e=>a`<a class="id" href=${te("audiences",e.target)}>${At(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level===
"bad"?"bad-ink":""}"><${yt} text=${t.says} /></div>`)}`},{key:"size",title:"Ids",num:!0,value:e=>e.size,meaning:qe.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:
a`<b>${j(e.size)}</b><div class="note">${e.sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:qe.change,
value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${al} c=${e.last} />${e.last&&a`<div class="note"><${Q} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expi\
ry",num:!0,value:e=>e.expiry,meaning:"Days after which a member leaves the segment unless it is uploaded again",cell:e=>e.expiry?F(e.expiry,"day"):a`<span class="faint none">–</span>`},
{key:"feed",title:"Feed",value:e=>e.feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${ol} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",
num:!0,value:e=>e.ledger&&Date.parse(e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${Q} at=${e.ledger.at} />${e.
ledger.changed&&a`<div class="note">changed since</div>`}`:a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:qe.open,
cell:e=>e.open?j(e.open):a`<span class="faint">0</span>`}],Cf={title:"Audiences",sub:"The segments and device lists that jobs and feeds fill: how large they are\
, what changed last, and what is wrong.",none:"No audiences yet",hint:"A segment appears here with its first job or feed."},Sf={title:"Feeds",sub:"The places th\
at usher watches for new exports, each with the audience that it fills. An audience's page has its feed, and what to do with a held export.",none:"No feeds",hint:"\
Feeds are written in files, which whoever runs usher lists in its configuration.",only:e=>e.feed},Su=({params:e})=>a`<${Du} params=${e} about=${Cf} />`,Tu=({params:e})=>a`<${Du} params=${e} about=${Sf} />`;
function Du({params:e,about:t}){let n=ge("/api/audiences",["audiences","letters"]);return a`<${Ge} title=${t.title} acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub=${t.
sub}>
    <${ht} result=${n}>${s=>{let{looking:o}=s,r=s.audiences.filter(t.only??(()=>!0)),i=r.filter(y=>y.problems.length>0),c=(e.text??"").toLowerCase(),g=(e.only===
"problems"?i:r).filter(y=>`${At(y)} ${Cr(y.target)} ${y.feed?.name??""}`.toLowerCase().includes(c)),f=r.length?["No audience matches","Remove a filter to see ot\
hers."]:o&&!t.only?["No audience found so far","Older jobs are being read."]:[t.none,t.hint];return a`<div class="filters"><${On} label="Search audience or feed …" value=${e.
text} onText=${y=>tt({text:y})} />
        <${Ta} label="Which" value=${e.only} onPick=${y=>tt({only:y})} options=${[["","All",Fs(r.length,o)],["problems","With problems",i.length]]} /></div>
        <${X} flush>${g.length===0?a`<${De} title=${f[0]}>${f[1]}<//>`:a`<${Vs} label=${t.title} columns=${jf} rows=${g} params=${e} id=${y=>y.target} href=${y=>te(
"audiences",y.target)} /><div class="foot">${F(g.length,"audience")}</div>`}<${Ps} l=${o} /><//>`}}<//>
  <//>`}var Sr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Oa=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Tf({tally:e}){let t=e.read||1,n=Sr.filter(([s])=>Oa(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${j(Oa(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${Sr.map(([s])=>Oa(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Oa(e[s])/t}}></i>`)}
  </div>`}function Ru({tally:e,dryRun:t}){let n=Sr.reduce((s,[o])=>s+Oa(e[o]),0);return a`<${Tf} tally=${e} />
    <div class="legend">
      ${Sr.filter(([s])=>s==="accepted"||Oa(e[s])>0).map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${j(Oa(e[s]))}</b>
        ${typeof e[s]=="object"&&Oa(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,i)=>i[1]-r[1]).map(([r,i])=>a`<span>${la(r)}<span>${j(i)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${j(n)}</b> ${n===e.read?a`<span class="good-ink">= ${F(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${F(e.read,"row")} read: please report this</span>`}</span></div>`}var Df={queued:"queued",running:"running",retrying:"waiting for the next attempt"},rl=e=>["done","failed","cancelled"].includes(e);function Rf(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let i=r.map(M=>({state:M.state,at:Date.parse(M.at)}));o===1&&Date.parse(
e.submitted)<i[0].at&&i.unshift({state:"queued",at:Date.parse(e.submitted)});let c=i.at(-1),g=rl(c.state)?c.at:Math.max(n,c.at),f=0,y=i.filter(M=>!rl(M.state)).
map((M,v)=>(M.state==="running"&&i[v-1]?.state!=="running"&&f++,{...M,attempt:f,long:((i[v+1]?.at??g)-M.at)/1e3}));return{run:o,phases:Mf(y),from:i[0].at,to:g,end:rl(
c.state)?c.state:""}})}function Mf(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var il=e=>Df[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${j(e.attempt)}`:"");function Af({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let i=Math.max((s-n)/1e3,.001),c=t.map(
g=>`${il(g)} ${pn(g.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${j(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map((g,f)=>a`<i key=${f} class=${g.state} style=${{flexGrow:Math.max(g.long/i,
.01)}} title=${`${il(g)}: ${pn(g.long)}`}></i>`)}${o&&a`<b class=${Qi(o)}></b>`}</div>
    <div class="ends small faint"><span title=${zt(n)}>${cn(n)}</span><span>${o||"now"} after ${pn(i)}</span></div>
    <ul class="small soft">${t.slice(0,12).map(g=>a`<li><i class="dot ${g.state}"></i>${il(g)} <b>${pn(g.long)}</b></li>`)}${t.length>12&&a`<li>and ${j(t.length-
12)} more phases</li>`}</ul></figure>`}function Mu({r:e,history:t}){let n=Is(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Rf(e,s,n),r=s.filter(i=>i.
error).slice(-5);return a`<${X} title="Timeline">
    ${o.slice(-6).map(i=>a`<${Af} key=${i.run} r=${i} many=${o.length>1||i.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${j(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(i=>a`<div class="small break"><span class="bad-ink" title=${i.error.class}>${Nt(i.error.class)}</span> <${Q} at=${i.at} /></div>`)}<//>`}var Of=["source.column","source.only","source.disregard","input","source.delimiter","source.encoding","maxRejectPercent"],Co=["force","acceptChange","dryRun"];function Ys(e,t=""){
return Object.entries(e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Ys(s,t+n+"."):[[t+n,s]])}var Zn=e=>e===void 0?"not set":e===!0?"yes":e===
!1?"no":Array.isArray(e)?e.map(Zn).join(", "):typeof e=="object"&&e?Ys(e).map(([t,n])=>`${t} ${Zn(n)}`).join(", "):String(e),Au=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],
e);function Ef(e,t){let[n]=e,s=e.length===1?n.remedies:[],o=ja[n?.class]??{};if(s.length&&n.class!=="source_missing"){let[i]=s[0];return i.field==="source.disre\
gard"?[]:s.slice(1).some(([c])=>c.field===i.field)?[{...i,open:!0}]:s[0]}if(e.length!==1)return[];let r=o.field??t.find(i=>n.class==="invalid_job"&&n.message?.includes(
"/"+i.replaceAll(".","/")));return r?[{field:r,value:o.value??"",open:!o.value}]:[]}function Xa({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[o,r]=I(null),[
i,c]=I(""),[g,f]=I(""),[y,M]=I([]),[v,S]=I(""),[W,ne]=I(!1),[ce,Te]=I(""),[oe,Ye]=I(null),[qt,lt]=I(""),[ue,$e]=I(!1),[Ht,St]=I(!1),ft=o?.causes??[],Ee=i==="acc\
eptChange"&&ft.length===1&&/"force": true, which removes ([\d,]+ of the members)/.exec(ft[0].hint??"")?.[1],Ot=i&&g.trim()?{[i]:g.trim(),...Object.fromEntries(y.
map(ee=>[ee.field,ee.value])),...Ee&&Ht?{force:"true"}:{}}:{},Yt=ee=>{let[Zt,...mn]=ee;c(Zt?.field??""),f(Zt&&!Zt.open?Zt.value:""),M(mn.filter(ns=>!ns.open&&!Co.
includes(ns.field)))};ke(()=>{let ee=!1;return Fe("/api/letters/plan",{filter:t}).then(Zt=>{ee||(r(Zt),Yt(Ef(Zt.causes,Ou(Zt))))},Zt=>ee||lt(Zt.message)),()=>{ee=
!0}},[]),ke(()=>{i&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),ke(()=>{if(!o)return;if(!Object.keys(Ot).length&&!W){Ye(i?null:o);return}
if(Ye(null),i&&!Object.keys(Ot).length)return;let ee=!1,Zt=setTimeout(()=>Fe("/api/letters/plan",{filter:{...t,through:o.through},set:Ot,force:W}).then(mn=>ee||
(Ye(mn),lt("")),mn=>ee||lt(mn.message)),250);return()=>{ee=!0,clearTimeout(Zt)}},[o,i,g,Ht,W]);let Mo=async()=>{await Fe("/api/letters/replay",{filter:{...t,through:o.
through},set:Ot,force:W,rate:Number(ce)||0,reason:v.trim()||Ff(ft[0],Ot)}),Ve(`${F(oe.count,"job")} will be ${i?"changed and ":""}replayed: the progress is on t\
his page`),s()},_n=o?Ou(o):[],eo=i?"Fix and replay":"Replay",Ao=o&&(o.newer||W),to=(ft.length===1?ft[0].remedies:[]).filter(ee=>!ee[0].open&&!(ee[0].field===i&&
ee[0].value===g)),ts=oe?.count>0&&(!i||g.trim())?Ki(If(t,o),Ot,{force:W,rate:Number(ce)||0,reason:v.trim()}):[];return a`<${Ke} title="Fix and replay" wide act=${oe?
`${eo} ${F(oe.count,"job")}`:eo} ready=${oe?.count>0&&(!i||oe.changed>0)} onAct=${Mo} onClose=${n}>
    ${(ft.length?ft:e?[e]:[]).map(ee=>a`<${le} key=${ee.group} level="bad" says=${a`${ft.length>1&&a`<span class="tag">${F(ee.count,"letter")}</span> `}${Nt(ee.
class)}: <${yt} text=${ee.message} />`} hint=${ee.hint} of=${ee.class} />`)}
    ${qt&&a`<${fn} says=${qt} />`}
    ${!o&&!qt&&a`<${kn} />`}
    ${o&&a`
      <div class="pair"><${Pe} name="What to change"><select value=${i} onChange=${ee=>Yt(ee.target.value?[{field:ee.target.value,open:!0}]:[])}>
          <option value="" selected=${i===""}>Nothing: it is repaired elsewhere</option>
          ${_n.map(ee=>a`<option value=${ee} selected=${ee===i}>${da(ee)}</option>`)}</select><//>
        ${i&&a`<${Pe} name="New value">${Co.includes(i)?a`<select value=${g} onChange=${ee=>f(ee.target.value)} data-first key=${i}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([ee,Zt])=>a`<option value=${ee} selected=${ee===g}>${Zt}</option>`)}</select>`:a`<input type="text" value=${g} onInput=${ee=>f(ee.target.
value)} data-first autofocus key=${i} />`}<//>`}</div>
      ${to.length>0&&a`<div class="small"><span class="soft">The error names</span> ${to.map(ee=>a`<button type="button" class="small" onClick=${()=>Yt(ee)}>${da(
ee[0].field)}: ${Co.includes(ee[0].field)?Zn(ee[0].value==="true"):ee[0].value}</button> `)}</div>`}
      ${y.length>0&&a`<div class="small soft">With it: ${y.map(ee=>`${da(ee.field)} ${ee.value}`).join(", ")}</div>`}
      ${Ee&&a`<label class="check"><input type="checkbox" checked=${Ht} onChange=${ee=>St(ee.target.checked)} /><span>Also remove ${Ee}, which is more than is allowed: otherwise the job fails again</span></label>`}
      <${Lf} plan=${oe??o} field=${i} value=${g.trim()} />
      ${oe?a`<${zf} plan=${oe} field=${i} rate=${Number(ce)} />`:i&&g.trim()&&!qt?a`<${kn} />`:null}
      <${Nf} plan=${oe??o} />
      ${Ao&&a`<label class="check"><input type="checkbox" checked=${W} onChange=${ee=>ne(ee.target.checked)} /><span>Replay also what a newer job has superseded: it undoes what that job did</span></label>
        ${!W&&a`<div><button type="button" class="danger small" onClick=${()=>$e(!0)}>Let them go …</button> <span class="small soft">discards what a newer job has superseded</span></div>`}`}`}
    <${Pe} name="Reason" hint=${`Recorded in the audit with your name, ${We.user}. May be left empty.`}><input type="text" maxlength="1000" value=${v} onInput=${ee=>S(
ee.target.value)} /><//>
    <details class="small"><summary>Pace</summary><${Pe} name="Jobs a second" hint="Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${ce} onInput=${ee=>Te(
ee.target.value)} /><//></details>
    ${ts.length>0&&a`<${Ls}>${ts.map(ee=>a`<code key=${ee}>${ee}</code>`)}${ts.length>1&&a`<span>with the numbers that the first command prints as SEQ</span>`}<//>`}
  <//>
  ${ue&&a`<${Pf} plan=${o} filter=${{...t,through:o.through}} onClose=${()=>$e(!1)} onDone=${()=>{n(),s()}} />`}`}function If(e,t){let n=t.count+t.skipped+t.refused,
s=(t.sample[0]??t.left[0])?.id;return n===1&&s?{id:s}:e}function Pf({plan:e,filter:t,onClose:n,onDone:s}){let[o,r]=I("superseded by a newer job"),i=async()=>{let{
discarded:c}=await Fe("/api/letters/discard",{filter:t,superseded:!0,reason:o});Ve(`${F(c,"letter")} let go`),s()};return a`<${Ke} title="Let go what newer jobs have superseded?" act="Let them go" danger ready=${o.
trim()} onAct=${i} onClose=${n}>
    <p><b>${F(e.newer,"letter")}</b> will be discarded for good, and the other letters stay. What the newer jobs did stays as it is.</p>
    <div><${Eu} list=${e.reasons.filter(c=>c.newer)} all=${e.newer} left=${e.left} /></div>
    <${Pe} name="Reason" hint=${`Recorded in the audit with your name, ${We.user}.`}><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.
value)} data-first /><//>
  <//>`}function Ou(e){let t=e.sample[0]?.before,n=Ys(t).map(([o])=>o).filter(o=>!["id","v","source.ids"].includes(o)),s=e.causes.flatMap(o=>[...o.remedies.flat().
map(r=>r.field),ja[o.class]?.field]).filter(Boolean);return[...new Set([...n,...t?.source?Of:[],...s])]}var Ff=(e,t)=>`${Object.entries(t).map(([s,o])=>`${da(s)}\
 set to ${Co.includes(s)?Zn(o==="true"):o}`).join(", ")||"repaired elsewhere"}: ${e?.message??""}`.slice(0,300);function Lf({plan:e,field:t,value:n}){return e.sample.
length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${Zn(Au(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?Zn(Au(s.after,
t)):Co.includes(t)?Zn(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Ys(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${da(o)} ${Zn(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function zf({plan:e,field:t,rate:n}){if(!e.
count&&!e.skipped&&!e.refused)return a`<${le} says="No dead letter is left: it was replayed or discarded." />`;let s=Math.max(e.seconds,n>0?e.count/n:0);return a`<p><b>${F(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${s>10?`; this takes at least ${pn(s)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${le} level="warn" says=${`${F(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${Wt} text=${e.says} />`} />`}`}
function Nf({plan:e}){return e.skipped>0&&a`<${le} level="warn" says=${`${F(e.skipped,"letter")} skipped`}><${Eu} list=${e.reasons} all=${e.skipped} left=${e.left} /><//>`}
function Eu({list:e,all:t,left:n}){let s=e.slice(0,4),o=t-s.reduce((r,i)=>r+i.count,0);return a`${s.map(r=>a`<div class="small break"><b>${j(r.count)}</b>: <${Wt} text=${r.
why} />${r.count===1&&n.some(i=>i.why===r.why)&&a` (${n.find(i=>i.why===r.why).id??"no id"})`}</div>`)}
    ${o>0&&a`<div class="small">and ${F(o,"letter")} for other reasons</div>`}`}var Iu=e=>JSON.stringify(e,null,2),Zs=e=>F(e,"letter");function Qa({l:e,filter:t}){let n=Gi(t);return a`<div class="hint break">${e.needless?a`Nothing is left to do: ${e.
why}, <${Q} at=${e.at} />`:a`A replay would undo what ${e.job?"a later job":"somebody"} did: it ${e.why}`}. ${e.job&&a`<a href=${te("jobs",e.job)}>Open that job</a>`}
    <${Ls}>${!e.needless&&a`<code>usher dead replay ${n} --force</code>`}<code>usher dead discard ${n}</code><//></div>`}function Pu({letter:e,onClose:t,onEdit:n,
onDiscard:s}){let o=e.id?{id:e.id}:{seqs:[e.seq]};return a`<${Ke} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${le} level=${e.later?.needless?"":"bad"} says=${a`<span title=${e.class}>${Nt(e.class)}</span>: <${yt} text=${e.message} />`} hint=${e.later?"":e.hint} of=${e.
later?"":e.class} letters=${e.later?void 0:o} remedies=${e.remedies} />
    ${e.later&&a`<${le} level=${e.later.needless?"good":"warn"} says=${e.later.needless?"It can be discarded":"It is superseded"}><${Qa} l=${e.later} filter=${o} /><//>`}
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${te("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${qn} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${zt(e.at)}</dd>
      <dt>Attempts</dt><dd>${F(e.attempts,"attempt")}${e.crashes?`, ${F(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(r=>da(r.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Ys(e.job).filter(([r])=>!["id","v"].includes(r)).slice(0,12).map(([r,i])=>a`<dt>${da(r)}</dt><dd class="break">${Zn(i)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Iu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Ue("operator")&&(e.later?a`<div><button type="button" class="danger" onClick=${s}>Discard this letter …</button></div>`:e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`)}
  <//>`}function So({filter:e,count:t,why:n="",onClose:s,onDone:o}){let[r,i]=I(n),c=async()=>{let{discarded:g}=await Fe("/api/letters/discard",{filter:e,reason:r});
Ve(`${Zs(g)} discarded`),o()};return a`<${Ke} title=${`Discard ${Zs(t)} for good?`} act=${`Discard ${Zs(t)}`} danger ready=${r.trim()} onAct=${c} onClose=${s}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Pe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${g=>i(g.target.value)} data-first /><//>
  <//>`}function Fu({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=I(t?Iu(t.job):""),[i,c]=I(""),[g,f]=I(""),[y,M]=I(""),[v,S]=I(null),W=()=>{if(!t)return{set:{
[i.trim()]:g}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},ne=async()=>{let Te={
...W(),reason:y};if(!v)throw S(await Fe("/api/letters/edit",{filter:e,edit:{...Te,dryRun:!0}})),new Error("");let oe=await Fe("/api/letters/edit",{filter:e,edit:Te});
if(oe.edited===0)throw new Error(oe.says||"The edit changes nothing.");Ve(`${Zs(oe.edited)} edited${oe.refused?`, ${j(oe.refused)} could not be edited`:""}`),s(
oe.now??[])},ce=Te=>oe=>{Te(oe.target.value),S(null)};return a`<${Ke} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${v?`Edit ${Zs(v.edited)}`:"Preview"} ready=${v?v.edited>0&&y.trim():t||i.trim()} onAct=${ne} onClose=${n}>
    ${t?a`<${Pe} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ce(
r)} data-first></textarea><//>`:a`<${Pe} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${i} onInput=${ce(
c)} data-first /><//>
        <${Pe} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${g} onInput=${ce(f)} /><//>`}
    ${v&&a`<${le} level=${v.refused?"warn":"good"} says=${`${Zs(v.edited)} to be edited${v.same?`, ${j(v.same)} unchanged`:""}${v.refused?`, ${j(v.refused)} ref\
used`:""}`} hint=${v.says} />
      ${v.example&&a`<div class="small soft">Changed fields: ${v.example.fields.map(Te=>a`<span class="tag mono">${Te}</span> `)}</div>`}`}
    <${Pe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${y} onInput=${Te=>M(Te.target.value)} /><//>
  <//>`}var Ea=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),Wf={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function qf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${te("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function Lu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",i=e.files>1?`, ${F(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${i}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${Ea(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${Wf[e.delimiter]??a`<code>${Ea(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${F(e.skip,"line")}`:a`lines that begin with <code>${Ea(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${Ea(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${j(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${Wt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${Ea(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${F(c.count,"id")}: ${qf(c.reason)}${c.at&&a`<div class="note">as of its generation ${j(c.generation)}, <${Q} at=${c.
at} /></div>`}</dd>`)}
`}var zu=({u:e})=>a`<${X} title="How the export was read"><dl class="facts">${Lu(e)}</dl><//>`,Hf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function Nu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${X} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${te("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${Q} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      ${e.began&&a`<dt>New memory</dt><dd>${e.began}</dd>`}
      <dt>Rows</dt><dd>${j(e.rows)}</dd>
      ${Lu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${Hf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(Ea).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(Ea).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?Ea(s.replace("."," by ")):la(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var ll=e=>["done","failed","cancelled"].includes(e);function Wu(e){let t=ge("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=I(""),o=t.data?.record,r=t.data?.
letter,i=r&&!r.later&&Ue("operator")&&(()=>s("fix")),c=r?.later&&Ue("operator")&&(()=>s("discard")),g=o&&a`<${Va} is=${o.state} /> <${qn} kind=${o.kind} target=${t.
data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:""}`,f=o&&a`
    ${i&&a`<button class="primary" onClick=${i}>Fix and replay …</button>`}
    ${c&&a`<button class="danger" onClick=${c}>Discard its letter …</button>`}
    ${r&&a`<a class="button" href=${"#/letters"+Se({id:e})}>Dead letter</a>`}
    ${!ll(o.state)&&Ue("operator")&&a`<button class="danger" onClick=${()=>s("cancel")}>Cancel job</button>`}`,y=a`<${ht} result=${t}>${M=>a`<${Uf} page=${M} onFix=${i} />`}<//>
    ${n==="cancel"&&a`<${dl} ids=${[e]} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="fix"&&a`<${Xa} cause=${{...o.error,count:1}} filter=${{id:e}} onClose=${()=>s("")} onDone=${t.reload} />`}
    ${n==="discard"&&a`<${So} filter=${{id:e}} count=${1} why=${r?.later?.why} onClose=${()=>s("")} onDone=${t.reload} />`}`;return{sub:g,acts:f,body:y}}function qu({
id:e}){let{sub:t,acts:n,body:s}=Wu(e);return a`<${Ge} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}function Hu({id:e,onClose:t}){
let{sub:n,acts:s,body:o}=Wu(e),r=Mt(null);return ke(()=>{r.current?.focus({preventScroll:!0});let i=c=>{c.key==="Escape"&&!document.querySelector("dialog[open]")&&
t()};return window.addEventListener("keydown",i),()=>{window.removeEventListener("keydown",i),document.querySelector(`a.id[href$="job=${CSS.escape(encodeURIComponent(
e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${te("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function dl({ids:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e.length===1?"Cancel this job?":`Cancel ${F(e.length,"job")}\
?`,i=async()=>{if(e.length===1)await Fe(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ve(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:g}=await Fe(
"/api/jobs/cancel",{ids:e,reason:s});Ve(`${F(c,"job")} cancelled${g.length?`; ${j(g.length)} not: ${g[0].why}`:""}`,g.length>0)}n()};return a`<${Ke} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${F(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${i}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Pe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
function Uf({page:e,onFix:t}){let n=e.record,s=n.job??{},o=ca({...n,accepted:n.tally.accepted,dryRun:s.dryRun});return a`
    ${n.consequence&&a`<${le} level=${n.consequence.large?"bad":""} says=${a`<span class="named">${Vn(e.target,n.targetName)}: ${o}</span>`} hint=${n.consequence.
large?Jf(n.consequence,s):""} />`}
    ${n.error&&a`<${Bf} r=${n} letter=${e.letter} onFix=${t} />`}
    ${n.why&&!ll(n.state)&&a`<${le} level=${n.state==="running"?"":"warn"} says=${n.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[n.state]}>${n.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${te("jobs",n.waitsFor.job)}>${n.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||n.parts.total>1?a`<${Vf} r=${n} parts=${e.parts??[]} />`:null}
        ${(n.tally.read>0||Gf(n))&&a`<${X} title="Where every row went" side=${s.dryRun&&a`<span class="tag">dry run</span>`}><${Ru} tally=${n.tally} dryRun=${s.
dryRun} /><//>`}
        ${n.warnings.length>0&&a`<${X} title="Warnings" flush><${it} name="warnings" rows=${n.warnings} columns=${[["What",r=>r.description],["Times",r=>r.count,
!0]]}>${r=>a`<tr><td class="break whole" title=${r.code}><${yt} text=${r.description} /></td><td class="num" data-name="Times">${j(r.count)}</td></tr>`}<//><//>`}
        ${n.samples.length>0&&a`<${Kf} all=${n.samples} />`}
        <${X}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(s,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${Yf} r=${n} target=${e.target} />${n.understood&&a`<${zu} u=${n.understood} />`}<${Mu} r=${n} history=${e.history} /></div>
    </div>`}function Bf({r:e,letter:t,onFix:n}){let s=a`<span title=${e.error.class}>${Nt(e.error.class)}</span>: <${yt} text=${e.error.message} />`;return t?.later?
a`<${le} level=${t.later.needless?"":"bad"} says=${s}><${Qa} l=${t.later} filter=${{id:e.id}} /><//>`:t?a`<${le} level="bad" says=${s} hint=${e.error.hint} of=${e.
error.class} onFix=${n} letters=${{id:e.id}} remedies=${t.remedies} />`:a`<${le} says=${s} hint="Its dead letter was discarded, so that it cannot be replayed: publish the job again, under a new id, if it is still needed." />`}
function Jf({added:e,removed:t,now:n},s){let o=Math.floor(1e3*t/(n-e+t))/10,r=s.maxRemovePercent??20;return`It ${s.dryRun?"would remove":"has removed"} ${o} % o\
f the members${o>r?`. Without force, it may remove ${r} %`:`, more than half of the ${r} % that it may remove`}. If that is not right, usher ledger rollback bri\
ngs back the generation before.`}var Gf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&ll(
e.state)&&e.state==="done";function Kf({all:e}){let[t,n]=I(!1),s=6;return a`<${X} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${it} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${j(
o.row)}</td><td title=${o.reason}>${la(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${j(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function Vf({
r:e,parts:t}){let n=new Map(t.map(i=>[i.number,i])),{total:s,done:o}=e.parts,r=t.filter(i=>i.crashes>0).sort((i,c)=>c.crashes-i.crashes);return a`<${X} title="Parts" side=${a`<span class="soft">${j(
o)} of ${j(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(i,c)=>{let g=n.get(c)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${c} class=${g?.
state??""} title=${`part ${c+1}: ${g?g.state+(g.read===null?"":`, ${j(g.read)} rows`):"waiting"}`}></i>`})}</div>
    ${r.length>0&&a`<p class="small soft" style=${{marginTop:"12px"}}>Workers crashed while they ran ${r.slice(0,5).map((i,c)=>a`${c>0&&", "}part ${j(i.number+1)} <b class="bad-ink">${i.
crashes===1?"once":`${j(i.crashes)} times`}</b>`)}${r.length>5&&` and ${F(r.length-5,"other part")}`}. Each goes on where it stopped.</p>`}<//>`}function Yf({r:e,
target:t}){let n=e.kind.startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${X} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${te("campaigns",n)}>${Vn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${te("audiences",t)}>${Vn(t,e.targetName)}</a>`:
Vn(t)}</dd>
    <dt>Submitted</dt><dd><${Q} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${Q} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${Q} at=${e.finished} />${e.started&&a` <span class="faint">after ${pn((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${j(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${F(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${F(e.batches,"batch","batches")}, ${As(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${j(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${qe.new}>New</dt><dd>${e.new?j(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${j(e.numberOfIds.before)} before, ${j(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Se({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var ul=[["","All kinds"],...Object.entries(yo).map(([e,[t]])=>[e,t])],Zf=["queued","running","retrying","done","failed","cancelled"],Xf=50,Qf=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],To=e=>["done","failed","cancelled"].includes(e);
function em({span:e,from:t,to:n}){return e==="days"?{since:t&&Li(t),until:n&&Li(n,1)}:{since:e&&new Date(Math.floor(pt()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function Bu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...em(e)},n=ge("/api/jobs"+Se({...t,after:e.after,limit:Xf}),["jobs"]),[s,o]=I(
[]),[r,i]=I(!1),c=n.data??n.stale,g=c?Object.values(c.states).reduce((S,W)=>S+W,0):void 0,f=S=>{o([]),tt({after:"",...S})},y=c?.jobs.filter(S=>!To(S.state)).map(
S=>S.id)??[],M=s.filter(S=>y.includes(S)),v={...e,job:""};return a`<${Ge} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${On} label="Search id, target, error …" value=${e.text} onText=${S=>f({text:S})} />
      <${Yn} label="Kind" value=${e.kind} onPick=${S=>f({kind:S})} options=${ul} />
      <${Yn} label="Submitted" value=${e.span} onPick=${S=>f({span:S,from:"",to:""})} options=${Qf} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${S=>f({from:S.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${S=>f({to:S.target.value})} />`}
    </div>
    <${Ta} label="State" value=${e.state} onPick=${S=>f({state:S})}
      options=${[["","All",g],...Zf.map(S=>[S,S[0].toUpperCase()+S.slice(1),c&&(c.states[S]??0),qe[S]])].map(([S,W,ne,ce])=>[S,W,ne==null?"…":Object.values(t).
some(Boolean)?Fs(ne,c.looking):j(ne),ce])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>f({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${fn} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${tm} list=${c} filtered=${Object.values(t).some(Boolean)} params=${v} chosen=${M} choose=${o} />
      <${Ps} l=${c.looking} />
      ${(c.jobs.length>0||e.after)&&a`<div class="foot"><span>${j(c.jobs.length)} of ${F(c.total,"job")}${c.looking&&c.total<=c.jobs.length?" so far":""}${c.more&&
!c.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Se({...v,after:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+Se({...v,after:c.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${kn} />`}</section>
    ${M.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${F(M.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>i(!0)}>Cancel ${F(M.length,"job")} …</button></div>`}
    ${r&&a`<${dl} ids=${M} onClose=${()=>i(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${Hu} id=${e.job} key=${e.job} onClose=${()=>tt({job:""})} />`}
  <//>`}function tm({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${De} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${De} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${De} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${Sa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${pl} jobs=${e.jobs} href=${r=>"#/jobs"+Se({...n,job:r})} chosen=${Ue("operator")&&e.jobs.some(r=>!To(r.state))?s:null} choose=${o} />`}var cl="Sort the rows\
 on this page",nm=[["Job",e=>e.id,!1,cl],["State",e=>e.state,!1,cl],["Rows",e=>e.read,!0,qe.read],["Accepted",e=>e.accepted,!0,qe.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,cl]];function pl({jobs:e,href:t=o=>te("jobs",o),chosen:n,choose:s}){let o=e.filter(i=>!To(i.state)).map(i=>i.id),r=i=>s(n.includes(i)?n.filter(
c=>c!==i):[...n,i]);return a`<${it} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${nm}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${i=>a`<tr key=${i.id} data-href=${t(i.id)}>
      ${n&&a`<td class="tick">${!To(i.state)&&a`<input type="checkbox" aria-label=${`Select job ${i.id}`} checked=${n.includes(i.id)} onChange=${()=>r(i.id)} />`}</td>`}
      <td><a class="id" href=${t(i.id)}>${i.id}</a><div class="note"><${qn} kind=${i.kind} target=${i.target} name=${i.targetName} />${i.run>1?` · run ${i.run}`:
""}</div>
        ${i.state==="running"?a`<${om} row=${i} />`:a`<${am} row=${i} />`}</td>
      <td><${Va} is=${i.state} /></td>
      <td class="num" data-name="Rows">${i.read?j(i.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${i.accepted?j(i.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${Q} at=${i.submitted} />${Uu(i)&&a`<div class="note nowrap">took ${Uu(i)}</div>`}</div></td>
    </tr>`}<//>`}var Uu=e=>e.started&&e.finished&&pn((new Date(e.finished)-new Date(e.started))/1e3);function am({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${Nt(e.error.class)}</span>: <${yt} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${Wt} text=${e.why} /></div>`;let t=To(e.
state)&&(ca(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${Ws} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&F(e.warnings,"warnin\
g")}</div>`}function sm(e){let t=Mt({read:0,at:Date.parse(e.started),rate:0});return an(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function om({row:e}){let t=Is(),n=sm(e);if(e.state!=="running")return a`<div class="note"><${Wt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,i=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&
`${Math.floor(100*r)} %, ${j(o)} of ${j(s)} parts`,e.read>0&&`${j(e.read)} rows`,n>=1&&`${j(n)} rows/s`,i!==null&&`about ${pn(Math.max(i,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${Wt} text=${e.why} />`:c.join(" · ")||"\
started"}</div>`}var rm=10,Ju=(e,t)=>t?100*e/t:0,Tr=(e,t)=>`${Ju(e,t).toFixed(1)} %`,im=e=>(e.of??"").split(",").filter(Boolean);function Gu({params:e}){let t=ge("/api/audiences",
["audiences"]),n=im(e);return a`<${Ge} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ht} result=${t}>${({audiences:s})=>a`<${lm} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${X}><${De} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${dm} of=${n} key=${n.join()} />`}
  <//>`}function lm({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${X}><${De} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>tt({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=rm} onClick=${()=>s(o.target)}>${At(o)}</button>`)}</div>`}function dm({
of:e}){let t=ge("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return t.refused?a`<${le} level="warn" says="These audiences cannot be compared" hint=${t.
error} />`:a`<${ht} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${le} level="warn" says=${`${F(s.uncertain,"id")} of ${At(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${cm} o=${n} />
    <div class="grid two-one"><div class="stack"><${um} o=${n} /></div><div class="stack"><${pm} o=${n} /></div></div>`}<//>`}function cm({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${Ct} name="Together" value=${j(e.union)} note="members of at least one" meaning="Ids that are members of at least one of these audiences, each counted once, by usher's ledgers." />
    <${Ct} name=${e.audiences.length>2?"In all":"In both"} value=${j(e.all)} note=${`${Tr(e.all,e.union)} of all`} meaning="Ids that are members of each of these audiences." />
    <${Ct} name=${`Only in ${At(t)}`} value=${j(t.only)} note=${`${Tr(t.only,t.members)} of its members`} meaning="Ids that are members of no other of these audiences." />
  </div>`}function um({o:e}){return a`<${X} title="In both" flush side=${a`<span class="faint small">and their share of its members</span>`}>
    <div class="scroll"><table class="matrix cards" aria-label="Members in common"><thead><tr><th>Audience</th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${At(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${te("audiences",t.target)}>${At(t)}</a><div class="note">generation ${j(
t.generation)}, <${Q} at=${t.at} />${t.lapsed>0&&`, ${j(t.lapsed)} lapsed`}</div></th>
      <td class="num" data-name="Members"><b>${j(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} data-name=${`and ${At(e.audiences[o])}`} style=${{"--sha\
re":Ju(s,t.members).toFixed(1)+"%"}} title=${`${j(s)} of the ${j(t.members)} members of ${At(t)} are in ${At(e.audiences[o])}`}>${j(s)}<div class="note">${Tr(s,
t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function pm({o:e}){return a`<${X} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${j(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${At(t)} <span class="soft">${j(t.members)}, ${Tr(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${j(t.only)} only in ${At(t)}, ${j(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${j(t.only)} only here, ${j(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var Ku=(...e)=>"#/audiences/overlap"+Se({of:e.join(",")});function Vu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=ge(t,["audiences","letters"]),[s,o]=I(""),r=n.data,i=r&&a`${r.ledger&&a`<a class="button" href=${Ku(
e)}>Overlaps</a>`}${Ue("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Ge} title=${r?At(r):Cr(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${ol} f=${r.feed} />`} acts=${i}>
    <${ht} result=${n}>${c=>a`
      ${c.problems.map(g=>a`<${le} key=${g.says} level=${g.level} says=${a`<${yt} text=${g.says} />`} where=${g.where?.startsWith("/letters")?"#"+g.where:void 0} />`)}
      <${Ps} l=${c.looking} />
      <${hm} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${fm} points=${c.sizes} /><${$m} points=${c.trend} /><${gm} jobs=${c.jobs} looking=${c.looking} target=${e} /></div>
        <div class="stack"><${bm} f=${c.feed} last=${c.jobs.find(g=>g.id===c.feed?.job)} onDone=${n.reload} /><${vm} l=${c.ledger} /><${wm} w=${c.withheld} /><${Nu} m=${c.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${ym} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${xm} path=${t} onClose=${()=>o("")} />`}
  <//>`}function hm({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${Ct} name="Ids" meaning=${qe.ids} value=${e.size===null?"–":j(e.size)} note=${e.size===null?e.looking?hl:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${Q} at=${e.sizeAt} />`} />
    <${Ct} name="Last change" meaning=${qe.change} value=${a`<${al} c=${e.last} />`} note=${e.last?a`<${Q} at=${e.last.at} />`:e.looking?hl:"no job on record ha\
s changed it"} />
    <${Ct} name="Junk and invalid" meaning=${qe.quality} value=${t?`${fl(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${F(t.read,"row")} in the last export`:
e.looking?hl:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${Ct} name="Open jobs" meaning=${qe.open} value=${j(e.open)} note=${e.letters?a`<span class="bad-ink">${F(e.letters,"dead letter")}</span>`:"no dead letter\
s"} />
  </div>`}var hl="older jobs are being read",fl=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",Yu=e=>Date.parse(e)/1e3;function fm({points:e}){let t=an(()=>[e.map(
n=>Yu(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${X} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${De} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ra} data=${t} values=${Kn} unit="ids" label=${`Ids over t\
ime, now ${j(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
var mm=e=>`${fl(e.junk,e.read)} % junk and ${fl(e.invalid,e.read)} % invalid rows`;function $m({points:e}){let t=an(()=>[e.map(n=>Yu(n.at)),e.map(n=>100*n.junk/
n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${X} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${De} title=${e.length?`${mm(e[0])} of the only export`:"No export was read yet"}>${e.length?"A second export makes it a trend.":"The shares\
 are drawn once two exports were read."}<//>`:a`<${Ra} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function gm({jobs:e,looking:t,target:n}){return a`<${X} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Se({target:n})}>All jobs</a>`}>${e.length===
0?a`<${De} title=${t?"No job found so far":"No jobs on record"} />`:a`<${pl} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Fs(e.length,t)}</div>`}`}<//>`}var Zu={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function Dr({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,i]=I(""),
[c]=I(t??[]),[g,f,y]=Zu[n],M=async()=>{await Fe(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:c}),Ve(`${f}: feed ${e}`),o()};return a`<${Ke} title=${g} act=${f} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${M} onClose=${s}>
    <p>${y}</p><${Pe} name="Reason" hint=${`Recorded in the audit with your name, ${We.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${v=>i(v.
target.value)} data-first /><//>
  <//>`}function bm({f:e,last:t,onDone:n}){let[s,o]=I("");if(!e)return a`<${X} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?[e.approvable?"approve":"look","reject"]:e.paused?["resume"]:["look","pause"];return a`<${X} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${sl(e)}</dd>
      <dt>Looked</dt><dd><${Q} at=${e.looked} />${e.blind&&a` <span class="badge bad">blind</span>`}</dd>
      <dt>Expected</dt><dd>${e.late?a`by ${Fi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${Fi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${Q} at=${e.last} />${e.rows>0&&`, ${F(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${jo(e.jobState)&&a`<dt>Not uploaded</dt><dd><a href=${te("jobs",e.job)}>Its job</a> ${e.error?a`has failed. ${Nt(e.error.class)}: <${yt} text=${e.error.message} /><${Hn} text=${e.
error.hint} of=${e.error.class} letters=${{id:e.job}} remedies=${e.remedies} />`:"was cancelled"}</dd>`}
      ${t&&ca(t)&&a`<dt>Changed</dt><dd><a href=${te("jobs",t.id)}><${Ws} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${Wt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Ue("operator")&&a`<div class="acts-line">${r.map(i=>a`<button class="small ${i==="pause"||i==="reject"?"danger":""}" onClick=${()=>o(i)}>${Zu[i][1]} …</button>`)}</div>`}
    ${s&&a`<${Dr} feed=${e.name} versions=${s==="approve"?e.approvable:e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function vm({l:e}){return a`<${X} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${Q} at=${e.at} /></dd><dt>Ids</dt><dd>${j(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${te("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${te("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function wm({w:e}){return e?a`<${X} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${te("audiences",t.target)}>${At(t)}</a>: ${F(t.count,"id")}<div class="note">as of its generation ${j(t.
generation)}, <${Q} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${F(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function ym({path:e,source:t,onClose:n}){let[s,o]=I(t.includes("?…")?"":t),r=async()=>{let{id:i}=await Fe(e+"/compare",{url:s.trim()});Ve("C\
omparing: nothing is sent"),location.hash=te("jobs",i)};return a`<${Ke} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Pe} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${i=>o(
i.target.value)} data-first /><//>
  <//>`}function xm({path:e,onClose:t}){let[n,s]=I(null),o=async()=>{throw s(await Fe(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ke} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${le} level=${r?"bad":"good"} says=${r?`${j(r)} of ${j(n.asked)} answers differ`:`All ${j(n.asked)} answers agree`}
      hint=${r?`${j(n.missing)} ids are missing on the platform, ${j(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${F(n.count,"id")}.`} />`}
  <//>`}function km({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${te("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${j(e.jobs.length-4)} more</div>`}</div>`}
function _m({w:e}){return e.gone?e.stopped?a`<span class="badge">stopped</span>`:a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:
e.down?a`<span class="badge bad">${e.refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var jm=[{key:"name",title:"Worker",
card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${_m} w=${e} />${e.
gone&&a`<div class="note">last heard <${Q} at=${e.heard} /></div>`}`},{key:"doing",title:"Does",cell:e=>a`<${km} w=${e} />`},{key:"slots",title:"Slots by lane",
cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${j(n)}</span>`)}</div>`},
{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.
memory||null,cell:e=>e.memory?As(e.memory):a`<span class="faint none">–</span>`},{key:"since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${Q} at=${e.
since} />`}];function Xu(){let e=ge("/api/workers");ke(()=>{let r=setInterval(()=>document.hidden||e.reload(),1e4);return()=>clearInterval(r)},[]);let t=e.data?.
workers??[],n=[...new Set(t.filter(r=>!r.gone).map(r=>r.version))],s=t.filter(r=>r.gone&&r.stopped).length,o=t.filter(r=>r.gone&&!r.stopped).length;return a`<${X} title="Workers" flush><${ht} result=${e}>${()=>a`
    ${n.length>1&&a`<${le} level="warn" says=${`${j(n.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
    ${t.length===0?a`<${De} title="No worker answers">Jobs wait until one is started.<${Sa}>usher run<//><//>`:a`<${Vs} label="Workers" columns=${jm} rows=${t} params=${{}} id=${r=>r.
name} /><div class="foot">${F(t.length-o-s,"worker")}${s>0?`, ${j(s)} stopped`:""}${o>0?`, ${j(o)} gone`:""}</div>`}`}<//><//>`}var Cm=15*6e4,Qu=new Set;function Do(){let e=ge("/api/replays",["replays"]),[,t]=I(0),n=pt();return(e.data?.replays??[]).filter(o=>!Qu.has(o.id)&&(!o.finished||
n-new Date(o.finished)<Cm)).map(o=>a`<${Tm} key=${o.id} r=${o} onHide=${()=>{Qu.add(o.id),t(r=>r+1)}} />`)}function Sm(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Tm({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Sm(e)}</b>
      <span class="soft">by ${e.by}, <${Q} at=${e.started} />${e.rate?`, ${un(e.rate)} a second`:""}</span>
      ${!e.finished&&Ue("operator")&&a`<button class="small danger" onClick=${()=>Fe(`/api/replays/${e.id}/stop`).catch(r=>Ve(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${F(n.changed,"job")} changed, `}${j(n.replayed)} of ${j(n.planned)} replayed${n.skipped?`, ${j(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Dm} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${le} level="bad" says=${e.error} />`}
  </div></section>`}function Dm({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${j(e.done)} done</span>${t>
0&&a`, <span class="soft">${j(t)} not ended yet</span>`}${e.cancelled>0&&`, ${j(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Se({replay:e.name})}>${j(e.failedAgain)} failed again</a>`}</div>`}var ml=100;function Rr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${X} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,ml).map(([r,i])=>a`<b class="small" title=${r}>${r}</b>${i.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,i)=>a`<span class="small faint">${i%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,i])=>a`<span class="cell ${r}"></span> ${i} `)}${n.length>ml&&`· ${j(n.length-ml)} more lines are not shown`}</div><//>`}
function Mr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var ep=e=>new Date(pt()-e*864e5).toISOString().slice(0,10);function np({params:e}){let t=ge("/api/rules"),n=[...new Set((t.data?.rules??[]).map(v=>v.file))],s=e.
file??n[0]??"",[o,r]=I(e.from??ep(31)),[i,c]=I(e.to??ep(1)),[g,f]=I({}),y=async v=>{f({busy:!0});try{f({outcome:await ra("/api/rules/backtest"+Se(v))})}catch(S){
f({error:S.message})}};ke(()=>{e.file&&e.from&&e.to&&y(e)},[e.file,e.from,e.to]);let M=v=>{v.preventDefault();let S={file:s,from:o,to:i};e.file===s&&e.from===o&&
e.to===i?y(S):tt(S)};return a`<${Ge} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${M}>
      <${Yn} label="Rule file" value=${s} onPick=${v=>tt({file:v,from:"",to:""})} options=${n.map(v=>[v,v])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${v=>r(v.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${i} onInput=${v=>c(v.target.value)} />
      <button class="primary" disabled=${g.busy||!s}>${g.busy?"Reading reports …":"Run"}</button>
    </form>
    ${g.error&&a`<${fn} says=${g.error} />`}
    ${g.busy&&a`<div class="card"><${kn} /></div>`}
    ${g.outcome&&a`<${Rm} o=${g.outcome} />`}
    ${!g.outcome&&!g.busy&&!g.error&&a`<div class="card"><${De} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Rm({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${le} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${Ct} name="Saved" meaning=${qe.saved} value=${un(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${un(t.spend)} spent`} />
      <${Ct} name="Pauses" meaning=${qe.pauses} value=${j(t.pauses)} note=${F(t.resumes,"resume")} />
      <${Ct} name="Held" meaning=${qe.held} value=${j(t.held)} note=${t.unknown>0?`and ${j(t.unknown)} unknown`:"by limits and guards"} />
      <${Ct} name="Missed clicks" meaning=${qe.missed} value=${Kn(t.missed.clicks)} note=${`${Kn(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Am} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Mm} days=${t.byDay} key=${t.from+t.to} />`}
    <${tp} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${tp} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${X} title="By rule" flush><${it} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${un(
n.saved)}</td><td class="num" data-name="Pauses">${j(n.pauses)}</td><td class="num" data-name="Resumes">${j(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${j(
n.decreases)}</td><td class="num" data-name="Increases">${j(n.increases)}</td>`}<td class="num" data-name="Held">${j(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${X} title="What would have changed" flush>${e.decisions.length===0?a`<${De} title="No rule would have changed anything">${t.unknown>0&&`${F(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${it} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Ma} d=${n} /></td>
          <td><${Us} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${j(e.decisions.length)}</div>`}`}<//>`}function Mm({days:e}){let t=an(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${X} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ra} data=${t} values=${Kn} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Am({all:e}){return a`<${X} title="Budgets and bids" flush><${it} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${xn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Bs(t.change):`stays ${Bs({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${j(t.decreases)}</td><td class="num" data-name="Increases">${j(t.increases)}</td><td class="num" data-name="Held">${j(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function tp({title:e,days:t,decisions:n}){let s=[...Mr(n,
r=>r.bidding?`${r.campaign} ${xn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(i=>i.action===r));return a`<${Rr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,i])=>[r,Om(t,i)])} />`}function Om(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var $l=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${zt(e.until)}</time>`:"released"}`;function gl({s:e}){return e?a`<div class="note warn-ink"><${$l} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${Q} at=${e.at} />)</span></div>`:null}var es="date",ap=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mon\
day","until Monday"],["released","until somebody hands it back"],[es,"until a date …"]];function bl({until:e,onUntil:t,required:n}){let s=ap.some(([r])=>r===e),
o=e===""||s?e:es;return a`<${Pe} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${ap.map(([r,i])=>a`<option value=${r} selected=${o===r}>leave it alone ${i}</option>`)}
      </select><//>
    ${o===es&&a`<${Pe} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||es)} /><//>`}`}function Ar({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,i]=I("");return Ue("operator")?a`<button class="small" onClick=${()=>i(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${Em} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>i("")} onDone=${o} />`}`:null}function Em({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[i,c]=I(""),[g,f]=I("tomorrow"),y=n==="keep",M=s==="it"?e:`the ${s} of ${e}`,v=async()=>{await Fe(`/api/rules/${n}`,y?{code:e,campaign:t,until:g,reason:i}:{code:e,
reason:i}),Ve(y?`Rules leave ${M} alone`:`Rules may change ${M} again`),r()};return a`<${Ke} title=${y?`Keep rules from ${M}?`:`Hand ${M} back to rules?`} act=${y?
"Keep":"Hand back"} ready=${i.trim()&&(!y||g!==es)} onAct=${v} onClose=${o}>
    <p>${y?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${y&&a`<${bl} until=${g} onUntil=${f} required />`}
    <${Pe} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${i} onInput=${S=>c(
S.target.value)} data-first /><//>
  <//>`}var Im=e=>{let t=e.jobs?.length>0?ko(e):0,n=Es(e);return t?`${F(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${j(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},Pm=({run:e})=>["approved","rejected"].includes(e.state)?a`<${le} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${Q} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${le} says=${e.why} />`,
Fm={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function Lm({id:e,job:t}){let[n,s,o]=Fm[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${le} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${te(
"jobs",e)}>Its job</a></div><//>`}function ip({id:e}){let t=ge("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=I(""),o=t.data?.run,r=o?.state===
"held",i=o&&Ue("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&!t.data.undone.length&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${Ge} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&
a`<${Hs} is=${o.state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Aa(o)}`} acts=${i}>
    <${ht} result=${t}>${c=>c.run===null?a`<${Lm} id=${e} job=${c.job} />`:a`
      ${c.undone.map(g=>a`<${le} key=${g.id} says=${a`Undone by ${g.by||"somebody"}, <${Q} at=${g.at} />`}><div class="acts-line"><a class="button small" href=${te(
"rules","runs",g.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${le} level="warn" says=${Im(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${le} level="warn" says=${_o(c.run)?"The stop switch held back changes of this run":`${F(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map(g=>a`<li class="break">${g.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${Pm} run=${c.run} />`}
      <div class="grid two-one">
        <${zm} run=${c.run} all=${c.decisions} more=${c.more} />
        <${X} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${zt(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${Q} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map(g=>a`<div class="break"><a href=${te("jobs",g)}>${g}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${Ro} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var lp=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Xs(t))),sp=(e,t)=>Ca(t)&&!t.left&&!lp(e,t);function zm({run:e,
all:t,more:n}){return a`<${X} title="Decisions" flush>${t.length===0?a`<${De} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${it} rows=${Js(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Ma} d=${s} /></td>
        <td><${Us} is=${sp(e,s)?s.wants:s.action} />${sp(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">${jr(s)}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${dp} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${j(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function dp({d:e}){return a`<div class="break">${Gs(
e)}</div><${Za} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${F(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:un(Number(t.result))}</div>`)}</details>`}`}var Nm={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Xs=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,op=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Ma} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${xn[e.bidding.field]} ${Bs(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,Wm=({s:e})=>a`<p><b>Spend at stake: ${$r(e.gross)}</b> <span class="soft">spent on what would change, from ${e.from} to ${e.to}</span></p>`,qm=({
d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Xs(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${Hm} s=${n} />`);function Hm({s:e}){return!e||
e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and is left out"}: ${e.why}</div>`}
function Um({id:e,left:t,setLeft:n}){let s=ge(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=ge("/api/rules/runs/"+encodeURIComponent(e)),r=c=>(c.parts??[
c]).every(g=>t.includes(Xs(g))),i=c=>{let g=(c.parts??[c]).map(Xs);n(r(c)?t.filter(f=>!g.includes(f)):[...t,...g])};return a`<${ht} result=${o}>${({run:c,decisions:g})=>{
let f=g.filter(M=>Ca(M)&&!M.left&&lp(c,M)),y=g.filter(M=>M.action==="held"&&!Ca(M));return a`${s.data?.wrong?a`<${le} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${Wm} s=${s.data.stake} />`:s.error?a`<${le} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${Q} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${f.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Js(f).map(M=>a`<tr key=${M.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${M.wants} of ${M.parts?`all ${M.parts.length} together`:Xs(
M)}`} checked=${!r(M)} onChange=${()=>i(M)} /></td><td class="break"><${op} d=${M} /></td>
        <td class="break">${M.rule}<div class="note">${Gs(M)}</div><${qm} d=${M} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${y.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Js(y).map(M=>a`<tr key=${M.key}><td class="break"><${op} d=${M} /></td><td class="break">${M.rule}<div class="note">${Gs(M)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function Bm(e,t){let{decisions:n,more:s}=await ra("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(Ca).map(Xs).filter(o=>!t.includes(o))}function Ro({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=I(""),[i,c]=I([]),[g,f,y]=Nm[t],M=async()=>{let{undo:v,left:S,warnings:W,state:ne}=await Fe(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,i.length?{reason:o,
only:await Bm(e,i)}:{reason:o});if(W?.length)Ve(`Run ${e} is ${ne==="held"?"approved in part":"approved"}. Not carried out: ${F(W.length,"change")}; ${W[0].description}`);else if(t!==
"undo")Ve(`Run ${e} is ${f.toLowerCase()}${f.endsWith("e")?"d":"ed"}`);else if(v)Ve(`Undoing run ${e}${S.length?`; ${S.length} not changed: ${S[0]}`:""}`);else throw new Error(
`There is nothing to undo${S.length?": "+S[0]:""}`);s()};return a`<${Ke} title=${g} act=${f} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${M} onClose=${n}>
    <p>${y}</p>
    ${t==="approve"&&a`<${Um} id=${e} left=${i} setLeft=${c} />${i.length>0&&a`<p class="warn-ink">${F(i.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Pe} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${v=>r(v.target.value)} data-first /><//>
  <//>`}var Jm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function cp({
creative:e,campaign:t}){let n=ge("/api/rules/why/"+encodeURIComponent(e)+Se({campaign:t}),["audit","rules"]);return a`<${Ge} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${n.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${n.data&&a`<${Ar} code=${e} campaign=${n.data.campaigns?.[0]} kept=${n.data.kept} onDone=${n.reload} />`}>
    <${ht} result=${n}>${s=>a`
      ${s.owner&&a`<${le} level="warn" says=${`Paused by the rule ${s.owner.file}/${s.owner.rule}`} hint=${Jm(s.resumes)} />`}
      ${s.kept&&a`<${le} level="warn" says=${a`Rules leave it alone: <${$l} s=${s.kept} />`} hint=${s.kept.reason}><${Sa}>usher rules release ${s.creative}<//><//>`}
      <${X} title="Rules that may change it">${s.campaigns.length===0?a`<p class="soft">Not known: usher has never changed it, so it does not know its campaign. The page of its campaign lists them.</p>`:
s.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${s.rules.map(o=>a`<li><a href=${"#/rules"+Se({text:o.name})} class="break">${o.name}</a> <span class="tag">${Os(
o.mode)}</span><${Ks} p=${o.paused} /><div class="small soft break">${o.says}</div></li>`)}</ul>`}<//>
      <${X} title="History">${s.pages.length===0?a`<${De} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...s.pages].reverse().map(o=>a`<${Gm} p=${o} />`)}</ul>`}<//>`}<//>
  <//>`}function Gm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?xn[n.bidding.
field]+" ":""}${Vt(n.before)} → ${Vt(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Vt(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Za} metrics=${n.metrics} /><${rp} on=${e.together} />
      <div class="small faint"><${Q} at=${e.at} />${n.job&&a` · job <a href=${te("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
rule?`${e.file}/${t.rule}`:e.by} ${ju(e)}</b>
    <${dp} d=${t} /><${rp} on=${e.together} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${Q} at=${e.at} /> · run <a href=${te(
"rules","runs",e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state==="held"?"approved in part":e.state} by ${e.by}`:""}</div></li>`}var rp=({on:e})=>e?.length>
0&&a`<div class="soft break">one decision on ${F(e.length,"campaign")}: ${e.slice(0,5).join(", ")}${e.length>5?` and ${j(e.length-5)} more`:""}</div>`;function up({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${ip} id=${s} key=${s} />`:n==="why"&&s?a`<${cp} creative=${s} campaign=${t.campaign} key=${s} />`:
n==="backtest"?a`<${np} params=${t} />`:a`<${Km} params=${t} />`}function Km({params:e}){let t=ge("/api/rules",["rules","overview"]),[n,s]=I(""),o=t.data?.stopped,
r=t.data&&a`${t.data.rules.length>0&&a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Ue("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Ue("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Ge} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ht} result=${t}>${i=>a`
      <${Vm} stopped=${i.stopped} />
      <${Ym} runs=${i.runs.filter(c=>c.state==="held")} rules=${i.held} />
      <${Xm} week=${i.week} rules=${i.rules} runs=${i.runs} />
      <${Qm} files=${[...new Set(i.rules.map(c=>c.file))]} />
      <${a$} rules=${i.rules} text=${e.text} />
      <${l$} runs=${i.runs} />`}<//>
    ${n&&a`<${vl} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function Vm({stopped:e}){return e==null?a`<${le} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${le} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function Ym({runs:e,
rules:t}){let n=r=>{let i=t[r.id];return i?`${i.rules.length>1?"Rules":"Rule"} ${i.rules.join(", ")} of the file ${r.file}, for ${i.campaigns.slice(0,3).join(",\
 ")}${i.campaigns.length>3?` and ${j(i.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=I("");return a`${e.map(r=>a`<${le} key=${r.id} level="warn" says=${a`${n(
r)}: ${Aa(r)}${Es(r)===(r.counts?.held??0)&&ko(r)===0?", waiting for approval":","} <${Ya} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Ue("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${te("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${Ro} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function Zm({w:e,all:t}){if(!e.pauses&&!e.earlier)return a`<span class="faint">–</span>`;
if(t.error&&!t.data)return a`not known<div class="note">${t.error}</div>`;if(!t.data)return a`<span class="faint">…</span>`;let n=t.data[e.rule];return n?a`${n.
pauses>0&&a`<b>about ${$r(n.gross)}</b>`}${n.notKnown.map(s=>a`<div class="note">not known of ${F(s.pauses,"pause")}: ${s.why}</div>`)}`:"not known"}function Xm({
week:e,rules:t,runs:n}){let s=ge(e.some(f=>f.pauses||f.earlier)?"/api/rules/saved":"",["audit","rules"]);if(t.length===0)return null;let o=f=>e.reduce((y,M)=>y+
M[f],0),r=pt()-7*864e5,i=n.filter(f=>_o(f)&&Date.parse(f.at)>r).length,c=Nn(r),g=Nn(pt()-864e5);return a`<${X} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${De} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${it} name="week" rows=${e} columns=${[
["Rule",f=>f.rule],["Paused",f=>f.pauses,!0],["Resumed",f=>f.resumes,!0],["Budgets, bids",f=>f.numbers,!0],["Waits",f=>f.held,!0],["Cannot decide on",f=>f.blind,
!0],["Saved"]]}>${f=>a`<tr key=${f.rule}>
        <td class="strong break"><a href=${"#/rules"+Se({text:f.rule})}>${f.rule}</a></td>
        <td class="num" data-name="Paused">${j(f.pauses)}${f.earlier>0&&a`<div class="note">and ${j(f.earlier)} before, which lasted</div>`}</td><td class="num" data-name="Resumed">${j(
f.resumes)}</td><td class="num" data-name="Budgets, bids">${j(f.numbers)}</td>
        <td class="num" data-name="Waits">${f.held?a`<b class="warn-ink">${F(f.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${f.blind?
a`<b class="warn-ink">${j(f.blind)}</b>`:"0"}</td>
        <td class="whole break" data-name="Saved"><${Zm} w=${f} all=${s} /></td></tr>`}<//>`}
    <div class="foot">${F(o("pauses"),"pause")}, ${F(o("resumes"),"resume")}, ${F(o("numbers"),"change")} of budgets and bids.${i>0&&` The stop switch held back\
 ${F(i,"run")}.`}</div>
    ${o("pauses")+o("earlier")>0&&a`<div class="foot">Saved is an estimate. For each of these days on which a creative was paused it counts what the creative had spent on the last complete day before the pause; what it spent all the same is subtracted. Pauses that began more than 31 days earlier, and changes of budgets and bids, are not counted.</div>`}
    <div class="foot">What they would have done on these days: ${[...new Set(t.map(f=>f.file))].map(f=>a`<a href=${"#/rules/backtest"+Se({file:f,from:c,to:g})}>backtest of ${f}</a> `)}</div><//>`}
function Qm({files:e}){let[t,n]=I("");return e.length===0?null:a`<${X} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${e$} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function e$({file:e}){let t=ge("/api/rules/preview"+Se({file:e}));return a`<${ht} result=${t}>${n=>a`<p>${Aa({counts:n.counts,state:"done"},!0)}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${it} name="preview" rows=${Js(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Ma} d=${s} /></td><td><${Us} is=${s.action} />${s.wants&&a`<div class="note">${jr(s)}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Gs(s)}</div></td></tr>`}<//>`}`}<//>`}var t$={account:", all together",creative:", each creative"},n$=e=>e.extras.filter(t=>["for","min\
_age","until","notify"].includes(t.key));function a$({rules:e,text:t=""}){if(e.length===0)return a`<${X} title="Rules"><${De} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${Sa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=I(null),[o,r]=I(null),i=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map(g=>`${g.key} ${g.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${X} title="Rules" flush side=${e.length>8&&a`<div><${On} label="Search rules …" value=${t} onText=${c=>tt({text:c})} /></div>`}>
    <${it} rows=${i} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${Os(c.mode)}</span><${Ks} p=${c.paused} /><div class="note">${c.scope}${t$[c.level]??""}${c.window&&
` · ${c.window}`}</div>${n$(c).map(g=>a`<div class="note">${g.key} ${g.value}</div>`)}
          ${Ue("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${i$} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${Q} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${Q} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.schedule}</div>`}</div></td></tr>`}<//>${n&&
a`<${r$} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${o$} rule=${o} onClose=${()=>r(null)} />`}${i.length===0&&a`<${De} title="No rule matches" />`}<//>`}var s$={
act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"It r\
eports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function o$({rule:e,onClose:t}){let n=async()=>{let{id:s}=await Fe(
"/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=te("rules","runs",s)};return a`<${Ke} title=${`Run rule ${e.name} now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${s$[e.mode]}</p>
  <//>`}function r$({rule:e,onClose:t}){let[n,s]=I(""),o=e.paused?"resume":"pause",r=async()=>{await Fe(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ve(`Rule ${e.name} is ${o}d`)};return a`<${Ke} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Pe} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${i=>s(
i.target.value)} data-first /><//>
  <//>`}function i$({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function l$({runs:e}){return a`<${X} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${De} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${it} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${te("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${Hs} is=${t.state} /></td>
        <td class="whole">${Aa(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${Q} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${F(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function vl({way:e,onClose:t,onDone:n}){let[s,o]=I(""),r=e==="stop",
i=async()=>{await Fe(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ve(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ke} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${i} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Pe} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function fp({params:e}){let t=e.span==="day"?"day":"",n=ge("/api/overview"+Se({span:t}),["overview"]);return ge("/api/replays",["replays"]),ge("/api/marks"),ge(
"/api/workers"),a`<${Ge} title="Overview" sub="What failed, what waits, and what happened in the last 24 hours.">
    <${ht} result=${n}>${s=>a`${!s.counted&&a`<${le} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${d$} needs=${s.
needs} lanes=${s.lanes} /><${Do} />
      <div class="grid two-one">
        <div class="stack"><${b$} rows=${s.changes} before=${s.before} /></div>
        <div class="stack"><${v$} runs=${s.rules} /><${w$} rows=${s.taken} /></div>
      </div>
      <${h$} o=${s} />
      <div class="grid two-one">
        <div class="stack"><${$$} t=${s.throughput} span=${t} /><${g$} hours=${s.hours} /></div>
        <div class="stack"><${y$} p=${s.platform} /><${k$} lanes=${s.lanes} /></div>
      </div><${Xu} />`}<//>
  <//>`}function d$({needs:e,lanes:t}){let[n,s]=I(null),o=()=>s(null),r=fr().state?.services.some(i=>i.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(i=>a`<${u$} key=${i.subject||i.says+i.about} n=${i} onAct=${()=>s(i)} />`)}</div>
    ${n&&a`<${c$} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${le} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var pp={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function c$({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${Xa} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${Dr} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${Dr} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${Ro} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${mp} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${vl} way="start" onClose=${n} onDone=${()=>{}} />`}function u$({n:e,onAct:t}){let n=pp[e.act]&&Ue(pp[e.act]);return a`<div class="incident ${e.
level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${Nt(e.class)}</span>${Vn(e.target)&&`: ${Vn(e.target,e.targetName)}`}`:a`<${Wt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${qn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${yt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${Wt} text=${e.
about} /></div>`}
      ${e.later?a`<${Qa} l=${e.later} filter=${{group:e.subject}} />`:a`<${Hn} text=${e.hint} of=${e.class} letters=${e.class&&{group:e.subject}} remedies=${e.remedies} />`}</div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${j(e.count)}</b> ${e.of}${e.count>1&&"s"}</span>`}${e.since&&a`<${Ya} at=${e.since} />`}${e.
recent&&a`<${p$} counts=${e.recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function p$({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${F(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${j(n)} in 1 h</span></span>`}
function h$({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${Ct} name="Throughput" meaning=${qe.rows} value=${e.throughput.rows===null?"–":Kn(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":As(e.throughput.bytes)+"/s sent"} />
    <${Ct} name="Running" meaning=${qe.running} value=${j(t("running"))} note=${t("retrying")?F(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${Ct} name="Queued" meaning=${qe.queued} value=${j(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${Ct} name="Done in 24 h" meaning=${qe.done} value=${j(n.done)} note="jobs" href="#/jobs?state=done" />
    <${Ct} name="Dead letters" meaning=${qe.letters} value=${j(e.letters)} note=${n.failed?`${j(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function f$(){let e=ge("/api/marks");return ke(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var m$=[["","15 min"],["day","24 h"]];function $$({t:e,span:t}){let n=f$(),s=an(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${X} title="Throughput" side=${a`<${Ta} label="Time" value=${t} onPick=${o=>tt({span:o})} options=${m$} />`}>
    <${Ra} data=${s} values=${Kn} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":j(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function g$({hours:e}){let t=an(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${X} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ra} height=${140} data=${t} values=${Kn} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:nl(),filled:"--c-accepted"}],["failed","--c-refused",{paths:nl(),filled:"--c-refused"}]]} /><//>`}var hp=e=>At(
{target:e.target,name:e.targetName});function b$({rows:e,before:t}){return a`<${X} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    ${e.length===0?a`<${De} title=${t?"The newest jobs have changed no audience":"No job has changed an audience"}>${t&&a`They were submitted since <${Q} at=${t} />.`}<//>`:
a`<${it} name="changes" rows=${e} columns=${[["Audience",hp],["Change"],["When",n=>Date.parse(n.finished),!0]]}>${n=>a`<tr key=${n.id}><td><a class="id" href=${te(
"audiences",n.target)}>${hp(n)}</a></td>
        <td class="whole"><a href=${te("jobs",n.id)}>${ca(n)?a`<${Ws} r=${n} />`:`${n.kind.endsWith(".remove")?"removal":"upload"} of ${F(n.accepted,"id")}; no \
ledger says what it changed`}</a></td><td class="num" data-name="When"><${Q} at=${n.finished} /></td></tr>`}<//>${t&&a`<div class="foot">of jobs that were submitted since <${Q} at=${t} /></div>`}`}<//>`}
function v$({runs:e}){return a`<${X} title="What the rules did" flush side=${a`<a class="small" href="#/rules">Rules</a>`}>
    ${e.length===0?a`<${De} title="The rules changed nothing" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.id}>
      <div><a class="strong" href=${te("rules","runs",t.id)}>${t.rule?`${t.file}/${t.rule}`:t.file}</a> <${Hs} is=${t.state} /></div>
      <div>${Aa(t)}</div><div class="note"><${Q} at=${t.at} />${t.by&&` · ${t.by}`}</div></li>`)}</ul>`}<//>`}function w$({rows:e}){return a`<${X} title="What feeds took" flush side=${a`<a class="small" href="#/feeds">Feeds</a>`}>
    ${e.length===0?a`<${De} title="No feed took an export" />`:a`<ul class="causes">${e.map(t=>a`<li key=${t.feed}>
      <div><a class="strong" href=${te("jobs",t.job)}>${t.feed}</a>: ${t.rows>0?F(t.rows,"row"):"an export"} for <a href=${te("audiences",t.audience)}>${t.label}</a></div>
      ${jo(t.state)&&a`<div class="bad-ink">Not uploaded: its job ${t.state==="failed"?a`has failed. ${Nt(t.error?.class)}`:"was cancelled"}</div>`}
      <div class="note"><${Q} at=${t.at} /></div></li>`)}</ul>`}<//>`}function y$({p:e}){let[t,n]=I(!1),s=Object.entries(e.answers??{}).sort();return a`<${X} title="Platform" side=${a`<span class="badge ${e.
up?"good":"bad"}">${e.up?"up":e.refused?"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${un(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Ue("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${Q} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${j(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${j(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${x$} p=${e} onClose=${()=>n(!1)} />`}<//>`}function x$({p:e,onClose:t}){let[n,s]=I(""),[o,r]=I(""),i=async()=>{await Fe("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ve(Number(n)?`The limit is ${un(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ke} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${i} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${un(e.configured)}.</p>
    <${Pe} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${Pe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function k$({lanes:e}){let[t,n]=I(null);return a`<${X} title="Lanes" flush side=${Ue("admin")&&a`<button class="bare small" onClick=${()=>n(e.find(s=>s.
paused)??e[0])}>Pause or resume …</button>`}>
    <${it} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,qe.waiting],["Running",s=>s.running,!0,qe.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:F(s.slots,"slot")+" here"}</div></td>
        <td class="num">${j(s.waiting)}</td><td class="num">${j(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${zt(s.oldest)}>${vo(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${mp} lane=${t} lanes=${e} onClose=${()=>n(null)} />`}<//>`}function mp({lane:e,lanes:t,onClose:n}){let[s,o]=I(e),[r,i]=I(""),c=s.paused?"resume":"pause",g=async()=>{
await Fe(`/api/lanes/${s.name}/${c}`,{reason:r}),Ve(`Lane ${s.name} is ${c}d`)};return a`<${Ke} title=${`${s.paused?"Resume":"Pause"} lane ${s.name}?`} act=${s.
paused?"Resume":"Pause"} danger=${!s.paused} ready=${r.trim()} onAct=${g} onClose=${n}>
    ${t&&a`<${Pe} name="Lane"><select value=${s.name} onChange=${f=>o(t.find(y=>y.name===f.target.value))}>${t.map(f=>a`<option value=${f.name} selected=${f.name===
s.name}>${f.name}${f.paused?" (paused)":""}</option>`)}</select><//>`}
    <p>${s.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Pe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${r} onInput=${f=>i(f.target.value)} data-first /><//>
  <//>`}var xl=50,_$=20,wl="Sort the rows on this page",j$=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),kl=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Qs=e=>tt({after:"",page:"",...e}),bp=(e,t)=>"/api/letters"+Se({...e,after:t,limit:xl});function vp({params:e}){let t=j$(e),
n={...t,group:""},s=ge("/api/letters/groups"+Se(n),["letters"]),o=ge(bp(t,wp(e).after),["letters"]),r=ge("/api/replays",["replays"]),c=[o,r].every(v=>v.data||v.
stale||v.error)&&(s.data?.groups??s.stale?.groups),g=c?c.reduce((v,S)=>v+S.count,0):0,f=c&&c.find(v=>v.group===e.group),y=e.group?f?.count??0:g,M=Object.keys(kl(
t)).length>0;return a`<${Ge} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <div class="filters">
      <${On} label="Search target or message …" value=${e.match} onText=${v=>Qs({match:v,group:""})} />
      <${Yn} label="Cause" value=${e.class} onPick=${v=>Qs({class:v,group:""})} options=${[["","All causes"],...Object.entries(ja).map(([v,{title:S}])=>[v,S])]} />
      <${Yn} label="Kind" value=${e.kind} onPick=${v=>Qs({kind:v,group:""})} options=${ul} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Qs({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Qs({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${fn} says=${s.error} retry=${s.reload} />`}
    ${c?c.length===0?a`<${Do} /><div class="card">${M?a`<${De} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${De} title="No dead letters">No job has failed.<//>`}</div>`:
a`<div class="grid two-one letters"><div class="stack"><${T$} filter=${t} total=${y} params=${e} key=${JSON.stringify(t)} /></div>
        <div class="stack"><${Do} /><${C$} list=${c} filter=${kl(n)} picked=${e.group} /></div></div>`:!s.error&&a`<div class="card"><${kn} /></div>`}
  <//>`}function C$({list:e,filter:t,picked:n}){let[s,o]=I(null),[r,i]=I(null),[c,g]=I(!1),f=c?e:e.slice(0,8);return a`<${X} title="Causes" flush side=${a`<span class="faint small">${F(
e.length,"cause")}${e.length>1?", what costs most first":""}</span>`}>
    <ul class="causes">${f.map(y=>a`<li key=${y.group}>
        <div><b title=${y.class}>${Nt(y.class)}</b> <span class="tag" title=${qe.letters}>${F(y.count,"letter")}</span></div>
        <div class="note"><${qn} kind=${y.kind} target=${y.target} name=${y.targetName} /> · last <${Q} at=${y.last} /></div>
        <div class="break"><${yt} text=${y.message} /></div>${$p(y)?a`<${Qa} l=${y.later} filter=${{group:y.group}} />`:a`<${Hn} text=${y.hint} of=${y.class} letters=${{
group:y.group}} remedies=${y.remedies} />${gp(y)&&a`<div class="note">${gp(y)}</div>`}`}
        <div class="acts-line">${Ue("operator")&&($p(y)?a`<button class="small danger" onClick=${()=>i(y)} aria-label=${`Discard ${F(y.count,"letter")}: ${y.message}`}>Discard …</button>`:
a`<button class="small" onClick=${()=>o(y)} aria-label=${`Fix and replay ${F(y.count,"letter")}: ${y.message}`}>Fix and replay …</button>`)}
          <button class="small" aria-pressed=${n===y.group} onClick=${()=>Qs({group:n===y.group?"":y.group})}>${n===y.group?"Show all":"Only these"}</button></div>
      </li>`)}</ul>
    ${e.length>f.length&&a`<div class="foot"><button class="small" onClick=${()=>g(!0)}>Show all ${j(e.length)} causes</button></div>`}
    ${s&&a`<${Xa} cause=${s} filter=${{...t,group:s.group}} onClose=${()=>o(null)} />`}
    ${r&&a`<${So} filter=${{...t,group:r.group}} count=${r.count} why=${r.later.why} onClose=${()=>i(null)} onDone=${()=>{}} />`}<//>`}var $p=e=>(e.needless??0)+
(e.superseded??0)===e.count,gp=e=>[e.needless&&`${j(e.needless)} of them can be discarded: ${e.needless===1?"a later job has":"later jobs have"} done what they \
should do`,e.superseded&&`${j(e.superseded)} of them would undo what later jobs did`].filter(Boolean).join("; "),yl=new Map,Or={all:!1,seqs:[]};function S$(e,t){
let n=t.letters.map(r=>r.seq),s=n[0]??1/0,o=t.more?n.at(-1)??1/0:0;return e.filter(r=>n.includes(r)||r<o||r>s)}function wp(e){let t=(e.after??"").split(",").filter(
Boolean),n=t.length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Se({...e,after:o.slice(-_$).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",
earlier:n>1&&s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function T$({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:i}=wp(n),c=JSON.stringify(
e),g=yl.get(c)??Or,[,f]=I(0),y=ue=>{yl.set(c,ue),f($e=>$e+1)},[M,v]=I(null),S=ge(bp(e,o),["letters"]),W=S.data??S.stale,ne=g.all?t:g.seqs.length,ce=g.all?kl(e):
{seqs:g.seqs},Te=()=>y(Or),oe=ue=>{let $e=g.all?W.letters.map(Ht=>Ht.seq):g.seqs;y({all:!1,seqs:$e.includes(ue)?$e.filter(Ht=>Ht!==ue):[...$e,ue]})};if(ke(()=>{
let ue=yl.get(c)??Or;if(!S.data||ue.all)return;let $e=S$(ue.seqs,S.data);$e.length<ue.seqs.length&&y({all:!1,seqs:$e})},[S.data]),!W)return S.error?a`<${fn} says=${S.
error} retry=${S.reload} />`:a`<div class="card"><${kn} /></div>`;let Ye=W.letters.map(ue=>ue.seq),qt=g.all||Ye.length>0&&Ye.every(ue=>g.seqs.includes(ue)),lt=Ue(
"operator");return a`${S.error&&a`<${fn} says=${S.error} retry=${S.reload} />`}<section class="card" inert=${!S.data} aria-busy=${!S.data}>
      <div class="top"><h2>Letters</h2>${lt&&t>0&&a`<button class="small" onClick=${()=>y({all:!0,seqs:[]})}>Select all ${j(t)} that match</button>`}</div>
      <div class="flush"><${it} look=${`cards ${lt?"ticks":""}`} rows=${W.letters} columns=${[["Job",ue=>ue.id,!1,wl],["Why",ue=>ue.class,!1,wl],["When",ue=>Date.
parse(ue.at),!0,wl]]}
        first=${lt&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${qt} onChange=${()=>y(qt?Or:{all:!1,seqs:[...new Set([...g.
seqs,...Ye])]})} /></th>`}>${ue=>a`<tr key=${ue.seq}>
          ${lt&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${ue.seq}`} checked=${g.all||g.seqs.includes(ue.seq)} onChange=${()=>oe(ue.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>v({show:ue})}>${ue.id??"no id"}</button><div class="note"><${qn} kind=${ue.kind} target=${ue.target} name=${ue.
targetName} /></div></td>
          <td class="whole"><b title=${ue.class}>${Nt(ue.class)}</b><div class="break"><${yt} text=${ue.message} /></div>${ue.later&&a`<div class="note break">${ue.
later.needless?a`<span class="good-ink">Can be discarded</span>: `:"Superseded: it "}${ue.later.why}</div>`}</td>
          <td class="num" data-name="When"><div><${Q} at=${ue.at} /><div class="note">letter ${ue.seq}</div></div></td></tr>`}<//></div>
      ${Ye.length===0&&a`<${De} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||W.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Newer</a>`:a`<button class="small" disabled>Newer</button>`}</span>
        <span>page ${j(s)}${t>xl?` of ${j(Math.max(s,Math.ceil(t/xl)))}`:""}, newest first</span>
        <span class="acts">${W.more?a`<a class="button small" href=${i(Ye.at(-1))}>Older</a>`:a`<button class="small" disabled>Older</button>`}</span></div>`}
    </section>
    ${lt&&ne>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${F(ne,"letter")}</b> selected${g.all?", all that match":""}</span>
      <button class="bare" onClick=${Te}>Clear</button>
      <button class="danger" onClick=${()=>v({discard:!0})}>Discard …</button>
      <button onClick=${()=>v({edit:!0})}>Edit …</button>
      <button class="primary" onClick=${()=>v({fix:!0})}>Fix and replay …</button></div>`}
    ${M?.fix&&a`<${Xa} filter=${ce} onClose=${()=>v(null)} onDone=${Te} />`}
    ${M?.show&&a`<${Pu} letter=${M.show} onClose=${()=>v(null)} onEdit=${()=>v({edit:!0,letter:M.show})} onDiscard=${()=>v({discard:!0,letter:M.show})} />`}
    ${M?.discard&&a`<${So} filter=${M.letter?{seqs:[M.letter.seq]}:ce} count=${M.letter?1:ne} why=${M.letter?.later?.why} onClose=${()=>v(null)} onDone=${Te} />`}
    ${M?.edit&&a`<${Fu} filter=${M.letter?{seqs:[M.letter.seq]}:ce} letter=${M.letter??(g.seqs.length===1&&W.letters.find(ue=>ue.seq===g.seqs[0]))}
      onClose=${()=>v(null)} onDone=${ue=>!M.letter&&!g.all&&y({all:!1,seqs:ue})} />`}`}var yp=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,jl=.95;function D$({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${j(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${j(e.paused)}</b> paused`}${e.
pending>0&&`, ${j(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function R$({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Se({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${j(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function M$({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${mr(
e.spent)}${t!==null&&` of ${mr(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=jl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=jl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var A$=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${te("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${D$} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${R$} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:yp,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${M$} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${te("rules","runs",e.heldRun)}>${j(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${Q} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],_l={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>yp(e)>=jl};function xp({params:e}){let t=ge("/api/campaigns",["campaigns","rules"]);return a`<${Ge} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ht} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(f=>f.code.toLowerCase().includes(o)),i=r.filter(_l[e.only]??
_l[""]),c=f=>r.filter(_l[f]).length,g=n.filter(f=>!f.at).length;return a`<div class="filters"><${On} label="Search campaigns …" value=${e.text} onText=${f=>tt(
{text:f})} />
          <${Ta} label="Which" value=${e.only} onPick=${f=>tt({only:f})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${le} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${X} flush>${i.length===0?a`<${De} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Vs} label="Campaigns" columns=${A$} rows=${i.slice(0,500)} params=${e} id=${f=>f.code} href=${f=>te("c\
ampaigns",f.code)} />
            <div class="foot"><span>${F(i.length,"campaign")}${i.length>500?", the first 500 are shown":""}</span>${g>0&&a`<span>the creatives of ${j(g)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var kp="The platform's times have no zone, so they are shown as the platform sends them.";function Cp({code:e}){let t=ge("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=I([]),[o,r]=I(""),i=t.data,c=Ue("operator"),g=f=>s(n.includes(f)?n.filter(y=>y!==f):[...n,f]);return a`<${Ge} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${i&&a`${F(i.creatives.length,"creative")}, ${j(i.creatives.filter(f=>f.status==="ACTIVE").length)} active`}
      acts=${i&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?j(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?j(n.length):"all"} …</button>`}>
    <${ht} result=${t}>${f=>a`
      ${f.holder&&a`<${le} level="warn" says=${`Locked by ${f.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${f.lockError&&a`<${le} level="warn" says="It is not known whether a worker has locked this campaign" hint=${f.lockError} />`}
      ${f.jobs.map(y=>a`<${le} key=${y.id} says=${a`<${Va} is=${y.state} /> ${vr(y.kind,y.target)}`} hint=${y.why||y.id} where=${te("jobs",y.id)} />`)}
      ${f.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+Se(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${X} title="Creatives" flush>${f.creatives.length===0?a`<${De} title="No creatives" />`:a`<${it} look=${`cards ${c?"ticks":""}`} rows=${f.
creatives} columns=${[["Creative",y=>y.code],["Status",y=>y.status],["Last change on the platform",y=>y.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===f.creatives.length} onChange=${()=>s(n.length?
[]:f.creatives.map(y=>y.code))} /></th>`}>${y=>a`<tr key=${y.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${y.code}`} checked=${n.includes(
y.code)} onChange=${()=>g(y.code)} /></td>`}
            <td class="strong break"><a class="id" href=${te("rules","why",y.code)+Se({campaign:e})} title="Its history">${y.code}</a><${gl} s=${f.kept[y.code]} />${y.
message&&a`<div class="note">${y.message}</div>`}</td><td><${Va} is=${y.status} /></td>
            <td class="num" data-name="Changed">${y.updated?a`<span class="nowrap" title=${kp}>${y.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${f.creatives.some(y=>y.updated)&&a`<div class="foot">${kp}</div>`}`}<//><${E$} creatives=${f.creatives} changes=${f.changes} /></div>
        <div class="stack"><${O$} rules=${f.rules??[]} kept=${f.kept[e]} code=${e} /><${F$} entries=${f.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${z$} code=${e} verb=${o} creatives=${n} all=${i.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function O$({rules:e,kept:t,code:n}){return a`<${X} title="Rules in scope" side=${a`<${Ar} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${gl} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Se({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Os(s.mode)}</span><${Ks} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var _p=28;function E$({creatives:e,changes:t}){let n=Array.from({length:_p},(r,i)=>Nn(pt()-(_p-1-i)*864e5)),s=[...Mr([...t].reverse(),r=>r.creative,r=>Nn(r.at))].
sort(([r],[i])=>r.localeCompare(i,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${Rr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,i])=>[r,I$(n,i,o.get(r))])} />`}function I$(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],i=r.map(
c=>`${cn(c.at)} ${Vt(c.before)} → ${Vt(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${i||Vt(n)}`}),n=r[0]?.before||n}return s}function P$(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function F$({entries:e,code:t}){return a`<${X} title="History" side=${a`<a class="small" href=${"\
#/audit"+Se({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${P$(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${jp} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${j(s.length)} more by this job</summary>${s.map(o=>a`<${jp} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Za} metrics=${n.metrics} /><div class="small faint"><${Q} at=${n.at} /></div></li>`)}</ul>`}<//>`}var jp=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?xn[e.bidding.field]:"campaign")}</b> <span class="small">${Vt(e.before)} → ${Vt(e.after)}${e.after!==e.wanted?` (wanted ${Vt(e.wanted)})`:""}</span></div>`;
function L$({code:e,creatives:t}){let n=ge(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${le} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${le} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${j(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${Q} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function z$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[i,c]=I(""),[g,f]=I(""),y=n.length||s,M=async()=>{let{id:v}=await Fe(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:i,keep:g});Ve(`${t==="pause"?"Pausing":"Resuming"} ${F(y,"creative")}: job ${v}`),r()};return a`<${Ke} title=${`${t==="pause"?"Pau\
se":"Resume"} ${F(y,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${i.trim()&&g!==es} onAct=${M} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${L$} code=${e} creatives=${n} />`}
    <${bl} until=${g} onUntil=${f} />
    <${Pe} name="Reason" hint=${`Recorded in the audit with your name, ${We.user}.`}><input type="text" required maxlength="1000" value=${i} onInput=${v=>c(v.target.
value)} data-first /><//>
  <//>`}var N$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],Cl=50,Er="Sort the rows on this page",W$=[["\
When",e=>Date.parse(e.at),!1,Er],["Who",e=>e.rule||e.actor,!1,Er],["What",e=>e.creative||e.after||e.wanted,!1,Er],["Why",e=>e.reason,!1,Er]];function Sp({params:e}){
let t=e.span&&new Date(Math.floor(pt()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(Cl,Number(e.limit)||Cl),o=ge("/api/audit"+Se({...n,limit:s}),["audit"]),r=o.data??o.stale,i=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${Ge} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Se({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Se(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${On} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>tt({match:c,limit:""})} />
      <${Yn} label="Time" value=${e.span} onPick=${c=>tt({span:c,limit:""})} options=${N$} />
    </div>
    ${i.length>0&&a`<div class="filters">${i.map(c=>a`<button class="small" onClick=${()=>tt({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${fn} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${De} title=${e.match||i.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${it} columns=${W$} rows=${r.entries}>${(c,g)=>a`<tr key=${c.at+c.job+c.creative+g}>
          <td data-name="When"><${Q} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Se(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${q$} a=${c} /></td>
          <td class="whole break">${c.reason}<${Za} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${F(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>tt({limit:String(
Math.min(s+Cl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${j(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${kn} />`}</section>
  <//>`}function q$({a:e}){let t=e.job&&a`<div class="note">job <a href=${te("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Vt(e.before)} → ${Vt(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Vt(e.wanted)})</span>`:
""}
      ${e.campaign&&a`<div class="note">campaign <a href=${te("campaigns",e.campaign)}>${e.campaign}</a></div>`}${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.
before?` (was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var H$=[["","Overview",hn.overview],["audiences","Audiences",hn.audiences],["feeds","Feeds",hn.feeds],["jobs","Jobs",hn.jobs],["letters","Dead letters",hn.letters],
["campaigns","Campaigns",hn.campaigns],["rules","Rules",hn.rules],["audit","Audit",hn.audit]],Tp=([,e,...t])=>t.length?`${e==="campaign"?"target":e} ${t.join("/")}`:
e;function U$({names:e,params:t}){let[n="",s]=e;switch(n){case"":return a`<${fp} params=${t} />`;case"jobs":return s?a`<${qu} id=${s} key=${s} />`:a`<${Bu} params=${t} />`;case"\
letters":return a`<${vp} params=${t} />`;case"audiences":return s==="overlap"?a`<${Gu} params=${t} />`:s?a`<${Vu} target=${Tp(e)} key=${Tp(e)} />`:a`<${Su} params=${t} />`;case"\
feeds":return a`<${Tu} params=${t} />`;case"campaigns":return s?a`<${Cp} code=${s} key=${s} />`:a`<${xp} params=${t} />`;case"rules":return a`<${up} names=${e.slice(
1)} params=${t} />`;case"audit":return a`<${Sp} params=${t} />`}return a`<${Ge} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}mu();
function B$(){let[e,t]=I(zs());return ke(()=>{let n=()=>t(zs()),s=xr(n);return n(),s},[]),a`<button class="bare small" onClick=${Ns} aria-label=${e?"Light colou\
rs":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${hn.theme}</span></button>`}function J$(){return a`<button class="bare small" onClick=${()=>Ts(
!Mn())} title=${Mn()?"Times are in UTC; show them in this computer's zone":`Times are in this computer's zone, ${Rs()}; show them in UTC`} aria-label=${Mn()?"Ti\
mes in UTC":`Times in ${Rs()}, this computer's zone`}>${Rs()}</button>`}function G$({onLeave:e}){let t=Qc(),n=ge("/api/overview",["letters","overview"]),s=wu(t.
names),o=n.data?.letters??0,r=()=>Fe("/api/logout").then(()=>e("You have logged out."),i=>e(i.message));return a`<a class="skip" href="#main" onClick=${i=>{i.preventDefault(),
document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${hn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${H$.map(([i,c,g])=>a`<a href="#/${i}" aria-current=${(t.names[0]??"")===i?"page":void 0}>${g}<span>${i==="letters"?a`<span class="long">Dead </span>letters`:
c}</span>
            ${i==="letters"&&o>0&&a`<span class="count" aria-label=${F(o,"dead letter")}>${o>999?"999+":j(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${We.user}</b><span class="faint small">${We.role}</span></div>
          <div class="row"><${B$} /><${J$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${hn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${yu} status=${s} />${U$(t)}</main>
    </div><${bu} /><${cu} />`}var Sl={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function K$(){let[e,t]=I(We.user),[n,
s]=I(Sl[We.absent]),[,o]=I(0);ke(()=>{Vc(async()=>{We.user&&(bo(),We.user="",await Ms().catch(()=>{}),s(Sl[We.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(c=>c+1))},[]);let r=async()=>{await Ms(),s(Sl[We.absent]),t(We.user),We.user&&Hi()},i=c=>{bo(),
We.user="",s(c),t("")};return e?a`<${G$} key=${Mn()?"utc":"local"} onLeave=${i} />`:a`<${xu} why=${n} onIn=${r} />`}function Dp(){let[e]=An().names;e!=="overvie\
w"&&(e!=="login"||!We.user)||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",Dp);Object.
assign(We,JSON.parse(document.getElementById("session").textContent));Dp();We.user&&Hi();var Rp=document.getElementById("app");Rp.replaceChildren();Mi(a`<${K$} />`,
Rp);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
